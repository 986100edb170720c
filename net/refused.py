"""The reason why something outside could not be had, as a code and its facts."""

from __future__ import annotations

from core.kernel import illegal


class Refused(illegal.Refused):
    """Something was asked for and is not to be had: a port, a broker, a table, a saved game.

    It carries no prose: `tui.words` turns the code and the facts into a line
    that says what happened and what to do. Codes:

    - `bad_address` (`text`): no `HOST[:PORT]`; `bad_broker` (`text`): no `mqtt://` URL
    - `bad_port` (`text`, `port`): an address whose port is none
    - `port_taken` (`port`), `port_forbidden` (`port`), `bad_bind` (`bind`): the embedded broker
      can't listen there
    - `no_connection` (`host`, `port`, `why`): nothing answers; `login_refused` (`host`, `port`):
      the broker wants another user or password; `not_allowed` (`topic`): it forbids a topic
    - `no_table` (`host`, `port`), `unknown_table` (`table`), `several_tables` (`tables`, `titles`),
      `version` (`ours`, `theirs`): what was found at an address is not one table to sit down at
    - `no_home` (`path`, `why`): the state folder can't be written
    - `table_open` (`path`): another process already writes that table or journal;
      `finished` (`path`): that game is over, nothing more goes into its journal
    - `table_died` (`said`, `log`), `table_silent` (`seconds`, `log`): the table process did not
      come up
    """
