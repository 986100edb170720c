"""English. Keys are dotted by place; `{n:card|cards}` is singular or plural by the number n."""

from __future__ import annotations

WORDS: dict[str, str] = {
    # The app
    "app.tagline": "Somebody did it. Nobody says so.",
    # The games of the house
    "game.line": "{title} ({fewest} to {most} players): {about}",
    "game.prrrt": "who was it? Deny, own up, point.",
    "game.low-on-gas": "shed your cards; the worst goes left.",
    "game.low-on-gas.players": "Best with 2 to 6: seven leave four cards to draw.",
    "small.size": (
        "This window is too small for a card table.\n\n"
        "It needs {width}x{height} and has {your_width}x{your_height}.\n"
        "Make it larger, or the font smaller.\n"
        "The game waits. Ctrl+Q leaves."
    ),
    "line.lost": "The table doesn't answer.",
    "line.rejoining": "Trying to get back. Your cards are kept.",
    # Home
    "home.tables": "Tables on this network",
    "home.menu": "Or",
    "home.you": "You are",
    "home.looking": (
        "Looking for tables…\n\n"
        "One that somebody hosts nearby appears here by itself.\n"
        "Some networks hide them: j joins by address."
    ),
    "home.menu.solo": "Play with bots",
    "home.menu.host": "Host a table",
    "home.menu.address": "Join by address",
    "home.menu.watch": "Watch a table",
    "home.menu.rules": "Read the rules",
    "home.menu.name": "Change your name",
    "home.menu.quit": "Quit",
    "home.own": "yours",
    "home.state.open": "sit down",
    "home.state.pin": "PIN",
    "home.state.full": "full",
    "home.state.playing": "playing",
    "home.state.over": "finished",
    "home.state.version": "other version",
    "home.state.gone": "no answer",
    "home.gone": "{title} doesn't answer any more. It disappears from the list when that is sure.",
    "home.version": "{title} runs another version of prrrt. Install the same one on both machines.",
    "home.playing": "The game at {title} has begun.",
    "home.over": "The game at {title} is over.",
    "home.full": "Every chair at {title} is taken.",
    "home.seat_back": "Take my seat back",
    "home.seat_back.help": "If you sat there before, as {name}, on this account",
    "home.watch_it": "Watch",
    "home.watch_it.help": "See what everybody may see, and chat",
    "home.address_title": "Join by address",
    "home.watch_title": "Watch a table",
    "home.watch_which": "Which table do you watch?",
    "home.watch_address": "Another one, by its address",
    "home.address_text": "The host's lobby shows it: HOST or HOST:PORT.",
    "home.name_title": "Your name",
    "home.name_text": "What others at the table call you, at most 24 characters.",
    "command.home.solo": "Bots",
    "command.home.solo.help": "Play against bots",
    "command.home.host": "Host",
    "command.home.host.help": "Host a table",
    "command.home.address": "Join",
    "command.home.address.help": "Join a table by its address",
    "command.home.watch": "Watch",
    "command.home.watch.help": "Watch the table marked in the list, or one by its address",
    "command.home.rules": "Rules",
    "command.home.rules.help": "Read the rules",
    "command.home.name": "Name",
    "command.home.name.help": "Change your name",
    "command.home.other": "Other list",
    "command.home.other.help": "Go to the other list",
    "command.home.quit": "Quit",
    # Setting up
    "solo.title": "A game against bots",
    "host.title": "A table for everybody on this network",
    "setup.options": "Options",
    "setup.game": "Game",
    "setup.title": "Title",
    "setup.title.default": "{name}'s table",
    "setup.title.help": "What the table is called in everybody's list.",
    "setup.players": "Players",
    "setup.players.help": "How many chairs the table has, yours and the bots' among them.",
    "setup.bots": "Bots",
    "setup.bots.help": "How many chairs bots take at once. The lobby can add more later.",
    "setup.level": "Bots play",
    "setup.level.help": "easy: anything legal. medium: sensible. hard: as well as they can.",
    "setup.pin": "PIN",
    "setup.pin.help": "Six digits that newcomers have to know. The lobby shows them.",
    "setup.turn_time": "Time to decide",
    "setup.turn_time.help": "When it runs out, a bot decides for that player, and says so.",
    "setup.seconds": "{n} seconds",
    "level.easy": "easy",
    "level.easy.help": "Does anything that is legal",
    "level.medium": "medium",
    "level.medium.help": "Plays sensibly, with what lies open in mind",
    "level.hard": "hard",
    "level.hard.help": "Plays as well as it can",
    "option.on": "on",
    "option.off": "off",
    "option.seat": "seat {n}",
    "option.prrrt.smell_deck": "Smell deck",
    "option.prrrt.smell_deck.help": (
        "rulebook: one 1, two 2s and so on, eight 8s. "
        "deodorant: eight 0s, seven 1s and so on, one 7; five 0s give you away."
    ),
    "option.prrrt.smell_deck.rulebook": "rulebook",
    "option.prrrt.smell_deck.deodorant": "deodorant",
    "option.prrrt.third_lap_shame": "Third-lap shame",
    "option.prrrt.third_lap_shame.help": "One more Shame card is laid before everybody points.",
    "option.prrrt.open_scores": "Open scores",
    "option.prrrt.open_scores.help": "Everybody's Shame points are public all the time.",
    "option.prrrt.first_player": "First player",
    "option.prrrt.first_player.help": "Who turns the first Location.",
    "option.prrrt.first_player.random": "drawn by lot",
    "option.low-on-gas.pass_it_on": "Pass it on",
    "option.low-on-gas.pass_it_on.help": (
        "A pick-up card may be played instead of drawing what is owed; all of it goes to the left."
    ),
    "option.low-on-gas.discard_stands": "Last card stands",
    "option.low-on-gas.discard_stands.help": (
        "A last card that was not called costs two cards. On: it is discarded all the same. "
        "Off: it stays in the hand."
    ),
    "option.low-on-gas.start_card": "First card",
    "option.low-on-gas.start_card.help": (
        "The card turned over to begin: as it comes, or turned again until it is a fart."
    ),
    "option.low-on-gas.start_card.as_is": "as it comes",
    "option.low-on-gas.start_card.redraw_specials": "a fart",
    "option.low-on-gas.dealer": "Dealer",
    "option.low-on-gas.dealer.help": (
        "Who deals each game; the player to the dealer's left begins."
    ),
    "option.low-on-gas.dealer.random": "drawn by lot",
    "option.low-on-gas.wins": "Games to win",
    "option.low-on-gas.wins.help": "Whoever has won so many games wins the match.",
    "command.solo.begin": "Deal",
    "command.solo.begin.help": "Deal with what is set",
    "command.host.begin": "Open the table",
    "command.host.begin.help": "Open the table with what is set",
    "command.setup.next": "Move",
    "command.setup.next.help": "The next setting",
    "command.setup.previous": "Up",
    "command.setup.previous.help": "The setting before",
    "command.setup.change": "Change",
    "command.setup.change.help": "Change the setting; Enter takes the next value",
    "command.setup.back": "Back",
    "command.setup.back.help": "Back to the home screen",
    # At the door
    "joining.title": "One moment",
    "joining.failed": "No seat",
    "joining.failed.table": "No table",
    "joining.failed.pin": "What is the PIN?",
    "joining.solo": "Setting the table…",
    "joining.host": "Opening the table…",
    "joining.looking": "Looking for a table on this network…",
    "joining.join": "Knocking at {where}…",
    "joining.waiting": "Then it is tried again by itself.",
    "joining.pin": "PIN",
    "joining.name": "Another name",
    "command.joining.again": "Again",
    "command.joining.again.help": "Try again",
    "command.joining.take_over": "Take over",
    "command.joining.take_over.help": "Take my seat over to this terminal",
    "command.joining.watch": "Watch",
    "command.joining.watch.help": "Watch instead",
    "command.joining.typed": "Try it",
    "command.joining.home": "Home",
    "command.joining.home.help": "Back to the home screen",
    # Lobby
    "lobby.seats": "Seats",
    "lobby.options": "Options of this table",
    "lobby.reach": "How others get here",
    "lobby.chat": "Talk",
    "lobby.say": "c to say something",
    "lobby.taken": "{n} of {players} seats taken",
    "lobby.watching": "{n} watching",
    "lobby.played": "{n} {n:game|games} played",
    "lobby.free": "free",
    "lobby.pin": "PIN",
    "lobby.pin.change": "(p: another)",
    "lobby.door.title": "The door",
    "lobby.door.pin": "Newcomers need the PIN {pin}. After five wrong ones they wait a minute.",
    "lobby.door.no_pin": "Whoever comes sits down.",
    "lobby.door.open": "Open it again after wrong PINs",
    "lobby.door.open.key": "o",
    "lobby.door.other": "Another PIN, for those who come from now on",
    "lobby.door.other.key": "p",
    "lobby.door.none": "No PIN any more",
    "lobby.door.none.key": "x",
    "lobby.words": "The same five words for everybody:",
    "lobby.solo": "Nobody. This table is on no network.",
    "lobby.note.you": "you",
    "lobby.note.owner": "owner",
    "lobby.note.bot": "bot",
    "lobby.note.guest_bot": "visiting bot",
    "lobby.note.away": "away",
    "lobby.note.bot_plays": "a bot plays",
    "lobby.advice.watching": "You are watching. The game begins when the owner starts it.",
    "lobby.advice.wait": "{owner} starts the game when everybody is there.",
    "lobby.advice.few": "{n} more {n:is|are} needed: wait for somebody, or b seats a bot.",
    "lobby.advice.some": "s starts with those here; {n} {n:chair|chairs} free (b seats a bot).",
    "lobby.advice.start": "Everybody is here: s starts the game.",
    "lobby.bot_title": "Seat a bot",
    "lobby.seat.up.key": "u",
    "lobby.seat.down.key": "d",
    "lobby.seat.remove.key": "x",
    "lobby.not_yourself": "That is you. To leave the table, press q.",
    "lobby.owner_sets": "Only the owner of the table can change this.",
    "command.lobby.start": "Start",
    "command.lobby.start.help": "Start the game with those who are here",
    "command.lobby.bot": "Bot",
    "command.lobby.bot.help": "Seat a bot",
    "command.lobby.options": "Options",
    "command.lobby.options.help": "See the options of this table (the owner can change them)",
    "command.lobby.said": "Say it",
    "command.lobby.chat": "Talk",
    "command.lobby.chat.help": "Say something to the others",
    "command.lobby.up": "Up",
    "command.lobby.up.help": "Move the marked seat up",
    "command.lobby.down": "Down",
    "command.lobby.down.help": "Move the marked seat down",
    "command.lobby.remove": "Remove",
    "command.lobby.remove.help": "Free the marked seat",
    "command.lobby.door": "Door",
    "command.lobby.door.help": "Open the door after wrong PINs, or change the PIN",
    "command.lobby.rules": "Rules",
    "command.lobby.rules.help": "Read the rules of the game",
    "command.lobby.hush": "Back to the seats",
    "command.lobby.leave": "Leave",
    "command.lobby.leave.help": "Leave the table",
    "command.lobby.options_done": "Done",
    "chat.spectator": "Somebody watching",
    # What happened at the table beside the game
    "notice.joined": "{name} sat down.",
    "notice.left": "{name} left.",
    "notice.away": "{name} is away.",
    "notice.back": "{name} is back.",
    "notice.stepped_in": "{name} has the cards back from the bot.",
    "notice.bot_takes_over": "A bot plays for {name} now.",
    "notice.bot_takes_over.away": "{name} is still away. A bot plays for them now.",
    "notice.bot_takes_over.clock": "Time is up: a bot plays for {name} now.",
    "notice.bot_takes_over.owner": "The owner lets a bot play for {name}.",
    "notice.bot_takes_over.self": "{name} lets a bot play for now.",
    "notice.bot_takes_over.removed": "A bot plays the cards of {name} to the end.",
    "notice.bot_added": "{name} sat down, a bot ({level}).",
    "notice.removed": "The owner removed {name}.",
    "notice.option": "The owner set {key} to {value}.",
    "notice.started": "The game begins.",
    "notice.paused": "The owner paused the game.",
    "notice.resumed": "The game goes on.",
    "notice.owner": "The table is {name}'s now.",
    "notice.rematch": "The same table plays again.",
    "notice.closing": "The table closes.",
    "notice.closing.ended": "The owner ended the table.",
    "notice.door": (
        "Somebody tried wrong PINs: the door is shut to newcomers for a minute. The owner can "
        "open it in the lobby, or change the PIN (p)."
    ),
    "notice.disk": "The host can't write the game down ({why}). It waits until that works.",
    # The terminal's title
    "title": "prrrt",
    "title.turn": "Your turn · prrrt",
    # Leaving
    "leaving.title": "Leave the table?",
    "leaving.text": "",
    "leaving.solo": "Leave the game",
    "leaving.solo.help": "Nobody else plays; the game ends here",
    "leaving.host": "Leave, the table goes on",
    "leaving.host.help": "A bot plays for you until you come back",
    "leaving.lobby": "Leave, the table goes on",
    "leaving.lobby.help": "Your chair is free for somebody else",
    "leaving.end": "End the table",
    "leaving.end.help": "For everybody. What was played stays saved",
    "leaving.join": "Leave the game",
    "leaving.join.help": "A bot plays for you until you join again",
    "leaving.bot": "Let a bot play, and stay",
    "leaving.bot.help": "You keep your seat. Space takes your cards back",
    "leaving.stay": "Stay",
    "leaving.stay.help": "",
    "leaving.way_back": "The game goes on. `prrrt join {where}` brings you back to your cards.",
    "leaving.no_answer": "The table didn't answer; you left it as it is.",
    # The owner's tools while a game is played
    "owning.title": "Your table",
    "owning.pause": "Pause the game for everybody",
    "owning.go_on": "Go on with the game",
    "owning.seat.noted": "{name} ({notes})",
    "owning.end": "Leave or end the table…",
    "owning.seat.title": "What is to become of {name}?",
    "owning.own.title": "Your cards",
    "owning.to_bot": "Let a bot play for them",
    "owning.to_bot.help": "Until they take their cards back",
    "owning.back": "Give them their cards back",
    "owning.back.help": "The bot that plays for them stops",
    "owning.own.to_bot": "Let a bot play for you",
    "owning.own.to_bot.help": "You keep your seat. Space takes your cards back",
    "owning.own.back": "Take your cards back",
    "owning.own.back.help": "The bot that plays for you stops",
    "owning.remove": "Remove them from the table…",
    "owning.remove.help": "A bot plays their cards to the end of the game",
    "owning.nothing": "Nothing",
    "owning.nothing.help": "Everything stays as it is",
    "owning.sure.title": "Remove {name}?",
    "owning.sure.text.game": "There is no way back into this game. They can only watch it.",
    "owning.sure.text.lobby": "Whoever knows the way can sit down again; a PIN keeps them out.",
    "owning.sure.stay": "No, they stay",
    "owning.sure.stay.help": "Everything stays as it is",
    "owning.sure.remove": "Remove them",
    "owning.sure.remove.game.help": "A bot plays their cards to the end of the game",
    "owning.sure.remove.lobby.help": "Their chair is free for somebody else",
    # Small dialogs
    "command.ask.choose": "Choose",
    "command.ask.back": "Back",
    "command.prompt.done": "Done",
    "command.prompt.back": "Back",
    # Help and rules
    "help.title": "Help",
    "help.everywhere": (
        "Everywhere: ? help, Ctrl+P all commands by name, Ctrl+Q quit. "
        "Tab goes to the next field, and everything can be clicked."
    ),
    "help.HomeScreen": (
        "Tables that others host on this network appear on the left by themselves; "
        "Enter sits down at the marked one. Everything else begins on the right."
    ),
    "help.LobbyScreen": (
        "Here people sit down until the owner of the table starts the game. Free chairs can be "
        "given to bots. Five words stand on everybody's screen: if they are the same, nobody sits "
        "between you and the host."
    ),
    "help.JoiningScreen": "The table is being asked for a seat.",
    "command.help": "Help",
    "command.help.help": "What can be done here",
    "command.help.rules": "Rules",
    "command.help.rules.help": "Read the rules",
    "command.help.close": "Back",
    "rules.title": "The rules of {game}",
    "rules.others": "o: {games}",
    "command.rules.other": "Other game",
    "command.rules.other.help": "Read the rules of the other game",
    "command.rules.next": "Next chapter",
    "command.rules.previous": "Chapter before",
    "command.rules.scroll": "Scroll",
    "command.rules.scroll.help": "Scroll by a line",
    "command.rules.page": "Page",
    "command.rules.page.help": "Scroll by a page",
    "command.rules.close": "Back",
    # A saved game
    "replay.reel": "{title}: {n} of {of} actions, seen by {who}",
    "replay.spectator": "a spectator",
    "command.replay.step": "Step",
    "command.replay.step.help": "The next action",
    "command.replay.back": "Back",
    "command.replay.back.help": "The action before",
    "command.replay.round": "Round",
    "command.replay.round.help": "Where the next round begins",
    "command.replay.round_back": "Round before",
    "command.replay.round_back.help": "Where this round began, or the one before",
    "command.replay.start": "Start",
    "command.replay.start.help": "The beginning",
    "command.replay.end": "End",
    "command.replay.end.help": "The end",
    "command.replay.eyes": "Eyes",
    "command.replay.eyes.help": "Look through the next player's eyes",
    "command.replay.verdict": "Verdict",
    "command.replay.verdict.help": "The last Revelation",
    "command.replay.standings": "Standings",
    "command.replay.standings.help": "Who has won how many games",
    "command.replay.low-on-gas.round": "Game",
    "command.replay.low-on-gas.round.help": "Where the next game of the match begins",
    "command.replay.low-on-gas.round_back": "Game before",
    "command.replay.low-on-gas.round_back.help": "Where this game began, or the one before",
    "command.replay.close": "Close",
    "command.replay.close.help": "Back to the home screen",
    # Why our time at a table is over
    "ended.closed": "The table closed.",
    "ended.closed.ended": "The owner ended the table. What was played stays saved with the host.",
    "ended.closed.once": "The game is over, and so is its table.",
    "ended.removed": (
        "The owner of the table removed you from it. While a game is played you can watch it; "
        "in the lobby you can sit down again."
    ),
    "ended.taken_over": "Your seat was taken over from another terminal.",
    "ended.left": "You left the table.",
    # Why something was refused: one for every code of core and net
    "refused.unknown": "The table refused that ({code}). Its version may be newer than yours.",
    "refused.full": "Every chair at this table is taken. You can watch.",
    "refused.crowded": "Very many come and go at this table just now. Try again in a moment.",
    "refused.playing": "The game has begun. You can watch, or come back for the next one.",
    "refused.wrong_pin": "That was not the PIN. The host's lobby shows it.",
    "refused.pin_needed": "This table has a PIN. The host's lobby shows it.",
    "refused.unproved": (
        "This table doesn't know that PIN, though it would let you in: somebody may pretend to be "
        "your host. Ask which address their lobby shows. For a table without a PIN, give none."
    ),
    "refused.locked": (
        "Somebody tried too many wrong PINs: the door is shut to newcomers for {seconds} more "
        "{seconds:second|seconds}."
    ),
    "refused.version": (
        "That table runs another version of prrrt. Install the same one on both machines."
    ),
    "refused.name_taken": (
        "You sit there already, in another terminal. Take the seat over to here, "
        "or sit down under another name."
    ),
    "refused.nonsense": (
        "What this table shows can't be true: its host has another version of prrrt, or plays "
        "tricks. You are out of it; nothing of yours was lost."
    ),
    "refused.foreign_game": (
        "They play {game} there, which this version of prrrt doesn't have. Update prrrt."
    ),
    "refused.no_answer": "The table doesn't answer. Is it still there? Try again in a moment.",
    "refused.bad_name": "A name has 1 to 24 characters that can be printed.",
    "refused.bad_title": "A table's title has 1 to {most} characters that can be printed.",
    "refused.bad_address": "{text} is no address. Type HOST or HOST:PORT, 192.0.2.7:3278 say.",
    "refused.bad_port": (
        "{text}: {port} is no port, they go from 1 to 65535. Type HOST:PORT, 192.0.2.7:3278 say."
    ),
    "refused.bad_broker": "{text} is no broker. Type mqtt://HOST or mqtt://HOST:PORT.",
    "refused.port_taken": (
        "Port {port} is taken on this machine. Leave --port out and the next free one is found."
    ),
    "refused.port_forbidden": "Port {port} needs the machine's administrator. Use one above 1023.",
    "refused.bad_bind": (
        "Can't listen on {bind}: this machine has no such address. "
        "Leave --bind out to listen on all that it has."
    ),
    "refused.no_connection": (
        "Nothing answers at {host}:{port}. Check the address, that the host is running, "
        "and that its firewall lets this port in."
    ),
    "refused.tables_broker": (
        "The broker at {host}:{port} is another table's own and serves no second one. Leave "
        "--broker out, or name one that stands by itself, mosquitto say."
    ),
    "refused.login_refused": (
        "The broker at {host}:{port} wants another user or password: mqtt://USER:PASSWORD@HOST."
    ),
    "refused.not_allowed": "The broker forbids {topic}. Its access rules must allow prrrt/#.",
    "refused.no_table": "There is a broker at {host}:{port} but no table. Ask the host.",
    "refused.unknown_table": "There is no table {table}. `prrrt tables` lists those there are.",
    "refused.several_tables": (
        "Several tables are there: {titles}. Name one with --table: {tables}, in the same order."
    ),
    "refused.no_table_found": (
        "No table was found on this network. `prrrt join HOST` works without finding; "
        "the host's lobby shows what to type."
    ),
    "refused.no_such_title": (
        "No table called {title} was found. `prrrt tables` lists those there are; "
        "`prrrt join HOST` works without finding."
    ),
    "refused.table_open": (
        "This table is open already, in another process ({path}). `prrrt join` sits down at it."
    ),
    "refused.open_elsewhere": (
        "This table is open already, at {host}:{port}, from a copy of its files. "
        "`prrrt join` sits down at it."
    ),
    "refused.bad_journal": (
        "This game can't go on: {path}, line {line}: {why} If you have that file as it was, put "
        "it back."
    ),
    "refused.other_table": "This is a game of another table, or of other people.",
    "refused.no_saved_table": "There is no saved table {table}. `prrrt games` lists them.",
    "refused.several_saved": (
        "The ids of several saved tables begin with {table}. Give more of it; "
        "`prrrt games` lists them."
    ),
    "refused.no_table_file": (
        "{path} is no file of a saved table. Give its id, its table.json or a game-N.jsonl of it; "
        "`prrrt games` lists them."
    ),
    "refused.nothing_saved": (
        "No saved table can go on. `prrrt games` lists what is kept; `prrrt host` opens a new one."
    ),
    "refused.table_closed": (
        "That table was closed. `prrrt replay` looks at its games; `prrrt host` opens a new table."
    ),
    "refused.nobody_came": (
        "nobody had sat down there. `prrrt host --resume {table}` opens it all the same."
    ),
    "refused.table_died": "The table process stopped at once: {said} (more in {log})",
    "refused.table_silent": "The table process said nothing for {seconds} seconds (see {log}).",
    "refused.broken": "Something went wrong: {why}.",
    # ... at the table, by the owner's orders
    "refused.not_owner": "Only the owner of the table can do that.",
    "refused.not_playing": "No game is being played.",
    "refused.not_over": "The game isn't over yet.",
    "refused.still_playing": "The game is still being played.",
    "refused.started": "The game has begun; that can only be set in the lobby.",
    "refused.paused": "The game is paused. Its owner can go on with it.",
    "refused.too_few": "Too few: {least} must be seated, {seats} {seats:is|are}.",
    "refused.too_many": "Too many: at most {most} can play, {seats} are seated.",
    "refused.seats_taken": "{taken} are seated already; free a chair first.",
    "refused.no_such_level": "There is no such bot. There are: {levels}.",
    "refused.no_such_seat": "There is no such seat.",
    "refused.other_seat": "{now} sits there by now, not {name}. Look again.",
    "refused.bot_seat": "A bot sits there.",
    "refused.still_away": "They are still away; the bot plays until they are back.",
    "refused.time_is_up": "The time for this is up, and the bot decides. Take your seat back then.",
    "refused.unknown_order": "This table doesn't know that order. Its version may be older.",
    "refused.stale_question": "That question was answered meanwhile.",
    "refused.held": "You have acted already. It happens once the others had a moment to speak up.",
    "refused.disk": "The host can't write the game down. It waits until that works.",
    "refused.chat_empty": "There is nothing in it.",
    "refused.chat_long": "Too long: {most} characters at most.",
    "refused.chat_fast": "Not so fast. Say it again in a second.",
    # ... by the rules
    "refused.not_your_turn": "It isn't your turn.",
    "refused.game_over": "The game is over.",
    "refused.bad_seats": "This game is for {fewest} to {most}; {seats} can't play it.",
    "refused.bad_option": "{key} can't be {value}; it can be {wants}.",
    "refused.option_empty": "{key} has no value; it can be {wants}. Write {key}=VALUE.",
    "refused.unknown_option": "There is no option {key}. There are: {known}.",
    "refused.option_form": "{given} has no value. Options are written KEY=VALUE, {example} say.",
    "refused.foreign_option": (
        "{key} is an option of {other} and not of {game}, which has these: {known}."
    ),
    "refused.bad_value": "{key} has a value that it can't have; wanted: {wants}.",
    "refused.missing": "{key} is missing.",
    "refused.unknown_do": "There is no action {do}. There are: {known}.",
    "refused.no_action": "That is no action of this game.",
    "refused.not_now": "That can't be done now.",
    "refused.too_long": "Too long: {limit} characters at most.",
    "refused.yourself": "Not yourself.",
    "refused.no_such_player": "That player can't be chosen now.",
    "refused.no_such_card": "There is no {card:card} to be had. Look again at what is there.",
    "refused.no_such_slot": "There is no such card to draw.",
    "refused.slot_twice": "Each card can be drawn only once.",
    "refused.wrong_number": "{take} {take:is|are} wanted, not {given}.",
    "refused.not_in_hand": "The hand has no {card:card}, or not as many of them.",
    "refused.does_not_fit": (
        "The {card:face} doesn't fit: play {colour:colour}, {top:kind} or a wild."
    ),
    "refused.pick_up_first": "You owe {owed}: pick up first, or put it out with a Match.",
    "refused.no_colour": "Say a colour with the {card:face}: {wants:colour}.",
    "refused.play_the_drawn": "You drew the {card:face}. It fits, so it must be played.",
    "refused.must_play": "You can play, so you must: {cards:mark}.",
    "refused.nothing_owed": "Nothing is owed now: play a card that fits, or draw one.",
    "refused.call_not_last": "You would still hold {left}: low on gas is for the last one.",
    "refused.called_already": "You have called already, and everybody heard it.",
    "refused.not_low": "You hold {cards}: low on gas is for the last one. It cost nothing.",
    "refused.call_late": "Too late, somebody has discarded: your last card will cost you.",
    # ... in a file
    "refused.unreadable": "The file can't be read: {why}.",
    "refused.bad_seat": "There is no seat {seat}: a number from 0, or spectator.",
    "refused.no_seat": "You only watch; that is for those who have a seat.",
    "refused.bad_settings": "The table process can't read its settings: {why}.",
    "refused.bad_table_file": (
        "The table kept in {path} can't be read: {why}. `prrrt games` lists its games."
    ),
    "refused.older_table_file": (
        "{path} is an older copy: the table wrote a newer one. Put that back, or, to go on with "
        "this one as it is, delete {mark} beside it."
    ),
    "refused.edited_table_file": (
        "{path} was changed after the table wrote it. Put it back as it was, or, to go on with "
        "it as it is, delete {mark} beside it."
    ),
    "refused.shorter_journal": (
        "{path} has {actions} {actions:action|actions}, but {written} {written:was|were} played: "
        "its end was cut off, or it is an older copy. Put the whole file back, or, to go on "
        "without the rest, delete {mark} beside it."
    ),
    "refused.edited_journal": (
        "{path} is not what was played: something in it was changed, or it is the file of "
        "another game. Put it back as it was, or, to go on with it as it is, delete {mark} beside "
        "it."
    ),
    "refused.saved_elsewhere": (
        "{path} is a copy: the table goes on only in {place}, so that there are never two of it. "
        "Put the copy there and resume it again."
    ),
    "refused.dropped": "The line to the table dropped.",
    "refused.no_home": "Nothing can be kept in {path}: {why}. Set PRRRT_HOME to another folder.",
    "refused.not_json": "This line is damaged, or never was one of a saved game ({detail}).",
    "refused.not_an_object": "A line of a journal is a JSON object; this one isn't.",
    "refused.empty_line": "An empty line has no place in a journal.",
    "refused.bad_header": "The first line is no journal's header: {detail}.",
    "refused.unknown_journal": "A journal of format {journal}; this version reads {known}.",
    "refused.unknown_game": "There is no game {game}. There are: {known}.",
    "refused.bad_chance": "The header's chance can't be read; known schemes: {wants}.",
    "refused.bad_fair1": "The header's deal can't be read: {detail}.",
    "refused.bad_orders": "The orders of a scripted chance are an object of lists.",
    "refused.bad_order": "The order of {label} doesn't fit the cards that there are.",
    "refused.unknown_label": "No card is ever dealt by {label}. Known: {known}.",
    "refused.finished": "That game is finished. `prrrt replay` looks at it again.",
    "refused.in_progress": (
        "This game isn't over, and opening it shows everybody's cards. If that is what you want, "
        "say --reveal."
    ),
    "refused.after_the_end": "The journal goes on after its end.",
    "refused.bad_end": "The end line is no object.",
    "refused.ended_early": "The journal ends before the game does.",
    "cli.output": "The output can't be written ({why}). What was printed so far is not all of it.",
    "refused.broken_chain": "The chain is broken: this line, or one before it, was changed.",
    "refused.other_result": "The result written down is not the one that was played.",
    "refused.not_as_written": (
        "This is not what the table wrote: something was changed, or the end cut off."
    ),
    "refused.torn_end": "The last line was cut off and is left out.",
    "refused.legal_for": "seat {seat}: {may}",
    "refused.legal_now": "Legal was: {legal}.",
    "refused.legal_nothing": "Nothing was legal any more.",
    "refused.several_found": (
        "Several tables are on this network: {titles}. Say which: `prrrt join TITLE`."
    ),
    # What a table without a screen says about itself
    "table.ready": "{title} ({game}) is open. Its five words: {words}",
    "table.joined": "{name} sat down.",
    "table.left": "{name} left.",
    "table.back": "{name} is back.",
    "table.started": "The game begins.",
    "table.over": "The game is over.",
    "table.stopped": "The table is closed ({why}).",
    "table.elsewhere": (
        "The table was started again elsewhere, from a copy of its files: it goes on there."
    ),
    "table.dropped": (
        "{n} {n:message|messages} dropped: not true, not new, or not for this table ({reasons})."
    ),
    # The command line
    "cli.usage": "Usage:",
    "cli.section.arguments": "Arguments",
    "cli.section.options": "Options",
    "cli.section.commands": "Commands",
    "cli.section.games": "Games",
    "cli.section.game_options": "--option of {game}",
    "cli.default": "Default: {default}.",
    "cli.more": (
        "`prrrt COMMAND --help` explains a command and its options. What is played and how is in "
        "the app: press ? anywhere."
    ),
    "cli.help": (
        "Card games about a smell and who is to blame, for terminals on one network. "
        "Without a command the home screen opens: the tables on this network appear there, and "
        "everything can be begun from it.\n\n"
        "To play together, one of you types `prrrt host`; the others type `prrrt`, and find that "
        "table in their list. `prrrt join HOST` gets there where nothing is found."
    ),
    "cli.solo": "Play against bots, here, without a network.",
    "cli.host": (
        "Open a table for everybody on this network, and sit down at it. With --headless it is "
        "only held, without a screen."
    ),
    "cli.join": "Sit down at somebody's table.",
    "cli.watch": "Watch a table without playing.",
    "cli.bot": "Let bots sit down at somebody's table, like people but without a screen.",
    "cli.tables": "List the tables on this network.",
    "cli.replay": "Look at a saved game again; with --json only print where it stands.",
    "cli.verify": "Check a finished game's deal (comes with a later version).",
    "cli.games": "List the tables saved here: which can go on, and the files of their games.",
    "cli.metavar.options": "[OPTIONS]",
    "cli.metavar.command": "[COMMAND]",
    "cli.metavar.game": "[GAME]",
    "cli.metavar.where": "[TITLE|HOST[:PORT]]",
    "cli.metavar.file": "FILE",
    "cli.argument.game": "The game to play, one of those below. Without it prrrt.",
    "cli.argument.where": (
        "The table's title (in quotes if it has blanks), or the address that its host's lobby "
        "shows. Not needed where there is only one table."
    ),
    "cli.argument.file": "The file of a saved game; `prrrt games` lists them.",
    "cli.option.help": "Show this and stop.",
    "cli.option.version": "Say which version this is.",
    "cli.option.players": (
        "How many chairs the table has, for people and bots together. Without it four."
    ),
    "cli.option.bots": "How many of the chairs bots take at once.",
    "cli.option.level": "How well the bots play.",
    "cli.option.name": "What others call you, at most 24 characters.",
    "cli.option.title": "What the table is called, at most 60 characters.",
    "cli.option.pin": (
        "Six digits that newcomers have to know. PRRRT_PIN in the environment does the same, and "
        "keeps them out of the list of processes."
    ),
    "cli.option.table_pin": (
        "The table's PIN, if it has one; its host's lobby shows it. PRRRT_PIN in the environment "
        "does the same."
    ),
    "cli.option.bot_name": "What the bot is called, at most 24 characters.",
    "cli.option.code": "A one-time code for somebody's seat (comes with a later version).",
    "cli.option.port": "The port to listen on. Without it 3278, or the next free one.",
    "cli.option.bind": "The address to listen on. Without it all of this machine's.",
    "cli.option.broker": (
        "An MQTT broker to meet at, instead of the table's own: mqtt://[USER:PASSWORD@]HOST[:PORT]."
    ),
    "cli.option.table": "The table's id, where several are behind one address.",
    "cli.option.no_discovery": "Don't announce the table: others then join by its address only.",
    "cli.option.turn_time": (
        "Seconds for each decision; then a bot decides. 0 is as long as it takes."
    ),
    "cli.option.patience": "Seconds until a bot plays for somebody who is away.",
    "cli.option.think": "Seconds that a bot waits before it acts, so that people can follow.",
    "cli.option.idle": "Seconds without anybody there after which the table stops; 0 is never.",
    "cli.option.option": (
        "One of the game's options, as they stand below. Can be given several times; a seat is "
        "its number, the first is 0."
    ),
    "cli.option.headless": "No screen: only hold the table, in tmux or as a service.",
    "cli.option.json": "Print JSON, for programs.",
    "cli.option.once": "Stop after one game, or one match of several.",
    "cli.option.start_when_full": "Start as soon as every chair is taken.",
    "cli.option.resume": (
        "Go on with a saved table: its id, a file of it, or `last` for the newest one that can."
    ),
    "cli.option.seat": "Show only what this seat may see (the first is 0), or a spectator.",
    "cli.option.reveal": "Open an unfinished game, although that shows everybody's cards.",
    "cli.option.seconds": "How many seconds to look.",
    "cli.option.count": "How many bots sit down.",
    "cli.tables.none": (
        "No tables found on this network. Some hide them: `prrrt join HOST` works all the same."
    ),
    "cli.tables.row": "{title}  {game}  {taken}/{players}  {state}  {address}",
    "cli.games.resumable": "{title}  (prrrt host --resume {table})",
    "cli.games.damaged": "{title}  (can't go on: {why})",
    "cli.games.closed": "{title}  (closed; `prrrt replay FILE` looks at its games)",
    "cli.games.solo": "A game against bots",
    "cli.games.finished": "  {game}, finished: {seats}  {path}",
    "cli.games.open": "  {game}, {actions} {actions:action|actions} so far: {seats}  {path}",
    "cli.games.none": "No saved tables in {home}.",
    "cli.resume.passed": "Passed over {title} ({table}): {why}",
    "cli.resume.going_on": "Going on with {title} ({table}).",
    "error.no_terminal": (
        "This is no terminal, and the game needs one to draw in. Without a screen there are "
        "`prrrt host --headless`, `prrrt bot`, `prrrt tables` and `prrrt replay FILE --json`."
    ),
    "error.dumb_terminal": "TERM=dumb can't show a table. Try TERM=xterm-256color prrrt.",
    "error.command": (
        "There is no command {given}. There are: {known}. `prrrt --help` explains them."
    ),
    "error.option": "{command} has no option {option}. `{command} --help` lists those it has.",
    "error.option.near": (
        "{command} has no option {option}. Near it is {near}; `{command} --help` lists all."
    ),
    "error.option.of_game": (
        "{command} has no option {option}, but {game} has: write --option {key}=VALUE."
    ),
    "error.value": "{option} needs a value: {option} {metavar}.",
    "error.no_value": "{option} is on or off and takes no value: leave out what follows it.",
    "error.missing": "{command} needs {missing}. `{command} --help` says what that is.",
    "error.extra": "{given} is more than {command} takes. Put what has blanks in quotes.",
    "error.seconds": "{option} takes seconds from 0 to {most}, 1.5 say; not {given}.",
    "error.whole": "{option} takes a whole number; not {given}.",
    "error.range": "{option} takes a whole number from {least} to {most}; not {given}.",
    "error.game": "There is no game {game}. There are: {known}.",
    "error.other_game": "They play {game} at that table. Leave {given} out to go on with it.",
    "error.level": "There is no bot level {level}. There are: {known}.",
    "error.bots": "{bots} bots don't fit at a table of {players}. Set --players higher.",
    "error.json_needs_headless": "--json is for --headless: prrrt host --headless --json.",
    "error.line": "line {line}: ",
    "error.later": "{command} comes with a later version of prrrt.",
    "error.pin": "A PIN is six digits, 042042 say.",
    "error.name.long": "The name {name} is too long: {room} characters at most.",
    "error.name.empty": "A name needs at least one character that can be printed.",
    "error.name.plain": "A name can't have control or other unseen characters.",
    "error.title.long": "The title {title} is too long: {room} characters at most.",
    "error.title.empty": "A title needs at least one character that can be printed.",
    "error.title.plain": "A title can't have control or other unseen characters.",
    "error.seat": "--seat takes a seat's number (the first is 0) or spectator; not {seat}.",
    "error.no_journal": (
        "This is no saved game of prrrt: {path}. `prrrt games` lists those that are kept here."
    ),
    # The table, whatever is played
    "command.table.chat": "Chat",
    "command.table.chat.help": "Say something to everybody; Enter sends",
    "command.table.said": "Say it",
    "command.table.log": "Log",
    "command.table.log.help": "Scroll through what happened (arrows, Page Up, Page Down)",
    "command.table.hand": "Hand",
    "command.table.hand.help": "Look at your cards: left and right tell what each one does",
    "command.table.pause": "Pause",
    "command.table.pause.help": "Pause the game for everybody, or go on",
    "command.table.owner": "Table",
    "command.table.owner.help": "Your table: pause, hand seats to a bot and back, remove, end",
    "command.table.bot": "Bot for me",
    "command.table.bot.help": "Let a bot play your cards, or take them back from it",
    "command.table.bell": "Bell",
    "command.table.bell.help": "Switch the bell off, which rings when it is your turn, or on again",
    "table.bell.on": "The bell is on: it rings when it is your turn among people.",
    "table.bell.off": "The bell is off. m switches it on again.",
    "command.table.leave": "Leave",
    "command.table.leave.help": "Leave the table; it asks first",
    "command.table.look": "Look at the table",
    "command.table.again": "Play again",
    "command.table.home": "Leave the table",
    "table.you": "you",
    "table.you.first": "You",
    "table.your": "your",
    "table.whose": "{name}'s",
    "table.nobody": "nobody",
    "table.and": " and ",
    "table.status.space": "Space opens it.",
    "table.gone.bot": "A bot has played for you meanwhile: nothing of yours was sent.",
    "command.table.back": "Back to the table",
    "command.table.hush": "Back to the table",
    "table.gone": "That question was settled meanwhile: nothing of yours was sent.",
    "table.put_aside": "Put aside. Space brings the question back.",
    "table.chat.hint": "c: say something",
    "table.log.title": "What happened",
    "table.seat.you": "you",
    "table.seat.bot": "bot",
    "table.seat.bot_plays": "bot plays",
    "table.seat.away": "away",
    "table.button.again": "a  Play again",
    "table.button.home": "q  Leave the table",
    "table.button.look": "t  Look at the table",
    "table.status.paused.own": "Paused: p goes on with the game. The clock stands.",
    "table.status.paused": "Paused by the table's owner. The clock stands.",
    "table.status.over": "The game is over. Space shows the result.",
    "table.status.sent": "Said. Waiting for the table…",
    "table.status.nobody": "The table is thinking.",
    "table.status.watching": "You watch. {text}",
    "table.status.line_up": "● line up",
    "table.status.line_down": "○ line down, trying again",
    "table.status.bot_plays": "(a bot plays for them)",
    "table.status.own_bot": "A bot plays for you. Space takes your cards back.",
    "table.status.away": "(away; a bot takes over after a while)",
    "table.result.owner": "Play again keeps everybody seated.",
    "table.result.wait": "{name} owns the table and can start another game. Stay seated for it.",
    "table.result.wait.watching": "{name} owns the table and can start another game. Stay for it.",
    "table.result.nobody": "Nobody owns the table just now.",
    "table.help.title": "What matters now",
    "table.help.keys": "Keys",
    # The table of PRRRT
    "command.prrrt.play": "Play",
    "command.prrrt.play.help": "Turn the Location, or bring back the question put to you",
    "command.prrrt.ask_it": "Ask",
    "command.prrrt.verdict": "Verdict",
    "command.prrrt.verdict.help": "See the last Revelation again",
    "command.prrrt.say_it": "Ask",
    "command.prrrt.own_words": "Your own words",
    "command.prrrt.deny": "Deny",
    "command.prrrt.own_up": "Own up",
    "command.prrrt.send": "Send",
    "command.prrrt.pick": "Pick",
    "command.prrrt.aim": "Aim, again to send",
    "command.prrrt.go_on": "Go on",
    # Places, contexts, directions
    "prrrt.place.work/lift": "The lift",
    "prrrt.place.work/office": "The office",
    "prrrt.place.home/car": "The family car",
    "prrrt.place.home/sunday-lunch": "Sunday lunch",
    "prrrt.place.travelling/tent": "The tent",
    "prrrt.place.travelling/night-train": "The night train",
    "prrrt.place.public/cinema": "The cinema",
    "prrrt.place.public/museum": "The museum",
    "prrrt.place.couple/duvet": "Under the duvet",
    "prrrt.place.couple/dinner": "Romantic dinner",
    "prrrt.context.home": "home",
    "prrrt.context.work": "work",
    "prrrt.context.travelling": "travel",
    "prrrt.context.public": "public",
    "prrrt.context.couple": "couple",
    "prrrt.context.home.letter": "H",
    "prrrt.context.work.letter": "W",
    "prrrt.context.travelling.letter": "T",
    "prrrt.context.public.letter": "P",
    "prrrt.context.couple.letter": "C",
    "prrrt.direction.left": "← left",
    "prrrt.direction.right": "right →",
    "prrrt.bar.lap": "round {round} lap {lap}",
    "prrrt.bar.between": "round {round} is over",
    "prrrt.bar.before": "Nobody has smelt anything yet",
    "prrrt.bar.last": " LAST ROUND ",
    "prrrt.bar.marker": "{n} to marker",
    # Around the table
    "prrrt.seat.shows": "shows {n}",
    "prrrt.seat.shame": "shame {n}",
    "prrrt.seat.shame_points": "shame {n} ({points})",
    "prrrt.people.hand": "hand {n}",
    "prrrt.table.no_hand": "no hand",
    "prrrt.doing.turn_location": "turns",
    "prrrt.doing.ask": "asks",
    "prrrt.doing.answer": "answers",
    "prrrt.doing.draw": "draws",
    "prrrt.doing.choose": "picks",
    "prrrt.doing.give": "gives",
    "prrrt.doing.point": "aims",
    "prrrt.doing.over": "",
    "prrrt.doing.pointed": "☞ ready",
    "prrrt.doing.next": "is next",
    "prrrt.doing.denied": "denied",
    "prrrt.doing.asker": "has asked",
    "prrrt.felt.point": "Who was it? All point.",
    "prrrt.felt.effect": "{card} {name}: {who}",
    "prrrt.felt.over": "Master of the Fart",
    "prrrt.felt.played": "Round {n} is over",
    "prrrt.felt.taken": "{who} took the Shame",
    "prrrt.felt.turns": "Next to begin",
    "prrrt.hand.title": "Your hand = {sum}",
    "prrrt.hand.none": "No cards in your hand.",
    "prrrt.hand.new": "new",
    "prrrt.pile.title": "Shame {n} = {points}",
    "prrrt.pile.empty": "No shame yet.",
    # What Smell cards do when they are revealed
    "prrrt.effect.3.name": "shed",
    "prrrt.effect.4.name": "swap",
    "prrrt.effect.5.name": "grab",
    "prrrt.effect.6.name": "trio",
    "prrrt.effect.7.name": "drop",
    "prrrt.effect.3.short": "somebody draws from your Shame and takes all of that value.",
    "prrrt.effect.4.short": "draw a card of somebody's hand, give one back.",
    "prrrt.effect.5.short": "take an open card of somebody, leave them the 5.",
    "prrrt.effect.6.short": "draw three cards of somebody's hand, give three back.",
    "prrrt.effect.7.short": "your whole hand is thrown away.",
    "prrrt.effect.none": "{value}: just a smell. Nothing happens when it is revealed.",
    "prrrt.effect.3": (
        "The denier picks another player, who draws one of the denier's Shame cards blind. That "
        "card and all others of the same value go from the denier's pile to the one who drew. "
        "Without Shame cards nothing happens."
    ),
    "prrrt.effect.4": (
        "The denier picks an opponent, draws one card blind from their hand and gives one card "
        "back, the drawn one if they like. Only the two of them know which."
    ),
    "prrrt.effect.5": (
        "The denier must take one card that lies open before somebody else, and leaves them the "
        "5 for it, even where every open card smells worse. The taken card has no effect. Where "
        "nobody else shows a card, nothing happens."
    ),
    "prrrt.effect.6": (
        "The denier picks an opponent, draws three cards blind from their hand (all of them if "
        "there are fewer) and gives as many back, the drawn ones if they like."
    ),
    "prrrt.effect.7": (
        "The denier throws their whole hand away, face down; it no longer counts. They are still "
        "asked, and can deny without showing anything."
    ),
    # Noises, from fresh to foul
    "prrrt.noise.0": "(a breath of spring)",
    "prrrt.noise.1": "pf.",
    "prrrt.noise.2": "pfff.",
    "prrrt.noise.3": "prt!",
    "prrrt.noise.4": "prrt!",
    "prrrt.noise.5": "prrrt!",
    "prrrt.noise.6": "PRRRRT!",
    "prrrt.noise.7": "BRRRAAAP!",
    "prrrt.noise.8": "BRRROOOAAARP!!",
    # Ready-made questions
    "prrrt.question.0": "{name}, was that you?",
    "prrrt.question.1": "Do you smell that too, {name}? Or is it only your side of the room?",
    "prrrt.question.2": "{name}, why is everybody leaning away from you?",
    "prrrt.question.3": "Say it, {name}. We are all friends here.",
    "prrrt.question.4": "{name}, did you have the beans?",
    "prrrt.question.5": "That wasn't the chair, {name}, was it?",
    "prrrt.question.6": "Look at me, {name}. You did this.",
    "prrrt.question.7": "The plant was alive before you came in, {name}.",
    "prrrt.question.8": "{name}, shall I open a window, or do you confess?",
    "prrrt.question.9": "And you blame the dog, {name}?",
    "prrrt.question.10": "A little something slipped out, {name}?",
    "prrrt.question.11": "{name}, your face says no. The air says yes.",
    # Dialogs
    "prrrt.button.deny": "d  Deny",
    "prrrt.button.own_up": "o  Own up",
    "prrrt.button.draw": "Draw these {n}",
    "prrrt.button.give": "Give these {n}",
    "prrrt.ask.title": "Ask {name} to their face",
    "prrrt.ask.hint": "a number or Enter asks · w or Tab: your own words",
    "prrrt.ask.own": "or ask {name} in your own words",
    "prrrt.answer.title": "{who}: “{words}”",
    "prrrt.answer.title.silent": "{who} looks you in the eyes. Was it you?",
    "prrrt.stakes.own_up": "Own up: the round ends, you take {n} {n:card|cards}:",
    "prrrt.stakes.cards": "  {up} open, {down} face down ({sum} + ?)",
    "prrrt.stakes.cards.open": "  {up} ({sum})",
    "prrrt.stakes.deny": "Deny: {who} draws 1 of your {n} blind.",
    "prrrt.stakes.deny_bare": "Deny: you have no card left to show.",
    "prrrt.stakes.lap.0": "",
    "prrrt.stakes.lap.1": "Lap 1: two more laps after this one.",
    "prrrt.stakes.lap.2": "Lap 2: one more lap after this one.",
    "prrrt.stakes.lap.3": "Lap 3: your last chance to own up.",
    "prrrt.stakes.total": "All your Smell now: {total}.",
    "prrrt.stakes.total.open": "All your Smell now: {total}, {shown} of it open.",
    "prrrt.draw.title": "Draw one card of {whose} blind: it will lie open",
    "prrrt.draw.title.3": "Draw Shame of {whose} blind: you get all of that value",
    "prrrt.draw.title.4": "Draw one card blind from the hand of {whose}",
    "prrrt.draw.title.6": "Draw {n} {n:card|cards} blind from the hand of {whose}",
    "prrrt.draw.hint": "numbers count places, not values · or arrows and Enter",
    "prrrt.pick.ready": "Enter sends them, Space puts one back",
    "prrrt.give.title": "Give {n} {n:card|cards} back to {whom}",
    "prrrt.give.hint": "{n:its value|their values}, or arrows and Enter · new: what you just drew",
    "prrrt.choose.title.3": "3 shed: who draws from your Shame?",
    "prrrt.choose.title.4": "4 swap: from whose hand do you draw a card?",
    "prrrt.choose.title.5": "5 grab: which open card do you take for your 5?",
    "prrrt.choose.title.6": "6 trio: from whose hand do you draw three cards?",
    "prrrt.choose.hint": "a player's number, or arrows and Enter",
    "prrrt.choose.take": "take",
    "prrrt.choose.of": "out of",
    "prrrt.point.title": "One, two, three: who was it?",
    "prrrt.point.hint": "aim, then the same again sends · {n} of {of} have pointed",
    "prrrt.point.aimed": "again sends",
    "prrrt.point.air": "a finger in the air: accuse nobody, pay nothing",
    # The status line
    "prrrt.status.turn_location": "You open the round. Space turns the Location.",
    "prrrt.status.ask": "You ask {whom}.",
    "prrrt.status.deny": "{who} asked you: deny or own up.",
    "prrrt.status.draw": "{whom} denied: you draw one card blind.",
    "prrrt.status.draw.3": "Draw a Shame card of {whom}, blind.",
    "prrrt.status.draw.4": "Draw a card from the hand of {whom}.",
    "prrrt.status.draw.6": "Draw from the hand of {whom}.",
    "prrrt.status.choose.3": "Your 3: pick who draws from your Shame.",
    "prrrt.status.choose.4": "Your 4: pick whose hand to draw from.",
    "prrrt.status.choose.5": "Your 5: pick an open card to take.",
    "prrrt.status.choose.6": "Your 6: pick whose hand to draw from.",
    "prrrt.status.give.4": "Give {whom} a card back.",
    "prrrt.status.give.6": "Give {whom} cards back.",
    "prrrt.status.point": "Point at whoever smells most, or at nobody.",
    "prrrt.status.wait.turn_location": "{who} opens the next round.",
    "prrrt.status.wait.ask": "{who} is about to ask {whom}.",
    "prrrt.status.wait.answer": "{who} must answer {whom}.",
    "prrrt.status.wait.draw": "{who} draws a card from {whom}.",
    "prrrt.status.wait.choose": "{who} picks somebody for the card's effect.",
    "prrrt.status.wait.give": "{who} chooses what to give {whom} back.",
    "prrrt.status.wait.point": "You have pointed. Waiting for {names}.",
    "prrrt.status.watch.point": "Everybody points. Waiting for {names}.",
    "prrrt.status.and_more": "{names} and {n} more",
    # What happened
    "prrrt.log.first": "It falls to {who} to begin.",
    "prrrt.log.location.left": "{place} ({context}). Questions go to the left.",
    "prrrt.log.location.right": "{place} ({context}). Questions go to the right.",
    "prrrt.log.laid": "Shame in the middle: {up} open, {down} face down.",
    "prrrt.log.laid.open": "Shame in the middle: {up}.",
    "prrrt.log.dealt": "Your cards: {cards}. That is {sum}.",
    "prrrt.log.asked": "{who} to {whom}: “{words}”",
    "prrrt.log.stared": "{who} looked {whom} in the eyes. “Was it you?”",
    "prrrt.log.owned_up": "{who} owned up! The round is over.",
    "prrrt.log.denied": "{who} denied.",
    "prrrt.log.denied_bare": "{who} denied, with no card left to show.",
    "prrrt.log.revealed": "{noise} {who} drew {whose} {card}.",
    "prrrt.log.void.3": "The 3 does nothing: no shame to shed for {who}.",
    "prrrt.log.void.4": "The 4 does nothing: nobody else holds cards.",
    "prrrt.log.void.5": "The 5 does nothing: nobody else shows a card.",
    "prrrt.log.void.6": "The 6 does nothing: nobody else holds cards.",
    "prrrt.log.void.7": "The 7 does nothing: no hand to throw away.",
    "prrrt.log.chosen.3": "{who} held a Shame pile out to {whom}.",
    "prrrt.log.chosen.4": "{who} reached into {whose} hand for a card.",
    "prrrt.log.chosen.5": "{who} wanted the {card} before {whom}.",
    "prrrt.log.chosen.6": "{who} reached into {whose} hand for three cards.",
    "prrrt.log.moved": "{n} of {whose} Shame {n:card|cards} worth {value} went to {whom}.",
    "prrrt.log.taken": "{who} drew {n} {n:card|cards} from {whose} hand.",
    "prrrt.log.taken.seen": "{who} drew from {whose} hand: {cards}.",
    "prrrt.log.given": "{who} gave {n} {n:card|cards} back to {whom}.",
    "prrrt.log.given.seen": "{who} gave back to {whom}: {cards}.",
    "prrrt.log.five": "{who} took {whose} {card} and left {whom} the 5.",
    "prrrt.log.discarded": "{who} threw {n} {n:card|cards} away, face down.",
    "prrrt.log.discarded.seen": "{who} threw away, face down: {cards}.",
    "prrrt.log.lap": "Lap {lap} is over. A {shame} joins the Shame.",
    "prrrt.log.lap.third": "Lap 3 is over. A {shame} joins the Shame. Fingers up!",
    "prrrt.log.lap.point": "Everybody was asked three times. Fingers up!",
    "prrrt.log.pointed": "{who} pointed.",
    "prrrt.log.pointed.at": "{who} pointed at {whom}.",
    "prrrt.log.pointed.air": "{who} kept a finger in the air.",
    "prrrt.log.verdict.total": "It was {who}, with {total}!",
    "prrrt.log.verdict.smelliest_card": "A tie at {total}: the smelliest card says it was {who}!",
    "prrrt.log.verdict.asked_earlier": "A tie at {total}, card for card. Asked first: {who}!",
    "prrrt.log.verdict.five_zeros": "Five zeros! So much deodorant: it was {who}!",
    "prrrt.log.centre": "{who} took the {n} Shame {n:card|cards} of the middle.",
    "prrrt.log.centre.seen": (
        "{who} took the {n} Shame {n:card|cards} of the middle. Face down lay: {cards}."
    ),
    "prrrt.log.charged": "{who} took {n} Shame {n:card|cards} from the deck.",
    "prrrt.log.charged.seen": "{who} took {n} Shame {n:card|cards} from the deck: {cards}.",
    "prrrt.log.marker": "The sideways card is drawn: this round is the last.",
    "prrrt.log.round_over": "Round {round} is over. Next to begin: {who}.",
    "prrrt.log.over": "The game is over. Master of the Fart: {who}, {points} points of Shame.",
    # The Revelation
    "prrrt.board.title": "Round {n}: the Revelation",
    "prrrt.board.who": "who",
    "prrrt.board.cards": "shown, and hidden",
    "prrrt.board.total": "all",
    "prrrt.board.finger": "points at",
    "prrrt.board.takes": "takes",
    "prrrt.board.air": "the air",
    "prrrt.board.centre": "middle + {n}",
    "prrrt.board.your_turn": "The table waits for you. Enter goes on.",
    "prrrt.board.goes_on": "The table has gone on. Enter goes on.",
    "prrrt.verdict.total": "It was {who}, with a smell of {total}!",
    "prrrt.verdict.smelliest_card": "A tie at {total}: the smelliest card says it was {who}!",
    "prrrt.verdict.asked_earlier": "A tie at {total}, card for card. Asked first: {who}!",
    "prrrt.verdict.five_zeros": "Five zeros, so much deodorant: it was {who}!",
    "prrrt.reason.centre": "{who}: takes all Shame cards of the middle.",
    "prrrt.reason.centre.n": "{who}: {n} for being it, all Shame of the middle.",
    "prrrt.reason.found": "   and {n} for the {n:finger|fingers} that got it right ({names}).",
    "prrrt.reason.own": "   and 1 for pointing at somebody innocent.",
    "prrrt.reason.wrong": "{names}: 1{n:| each} for a wrong accusation.",
    "prrrt.reason.air": "{names}: a finger in the air costs nothing.",
    # The end
    "prrrt.result.title": "The end",
    "prrrt.result.master": "{n:Master|Masters} of the Fart: {names}",
    "prrrt.result.winner": "{names} {n:wins|win} with the least Shame.",
    "prrrt.result.you.master": "You are the Master. Wear it with pride.",
    "prrrt.result.you.first": "You smell of roses.",
    "prrrt.result.you": "You are number {n} of {of}.",
    "prrrt.result.points": "{n} {n:point|points}",
    # Help for the moment
    "prrrt.help.stakes": "If you own up, if you deny",
    "prrrt.help.effect": "A {card} was revealed ({who})",
    "prrrt.help.now": "Now",
    "prrrt.help.cards": "Smell cards with an effect when they are revealed",
    "prrrt.help.end": "How it ends",
    "prrrt.help.signs": "Signs",
    "prrrt.help.phase.turn_location": (
        "The first player turns a Location: it shows how many Shame cards lie in the middle, and "
        "which way the questions go. Everybody gets five Smell cards. Whoever has the largest "
        "total did it, and nobody knows yet."
    ),
    "prrrt.help.phase.ask": (
        "The asker asks their neighbour, in any words. Who denies asks the next one. After three "
        "laps everybody points at whom they suspect."
    ),
    "prrrt.help.phase.answer": (
        "Owning up ends the round: you take the middle and nothing else, even if it wasn't you. "
        "Denying costs nothing now, but one of your cards, drawn blind, stays open before you. "
        "If you turn out to have the largest total, you take the middle and a card for every "
        "finger at you."
    ),
    "prrrt.help.phase.draw": "Cards are drawn blind: nobody knows which back hides what.",
    "prrrt.help.phase.choose": "A revealed card has an effect; the one who denied must play it.",
    "prrrt.help.phase.give": "As many cards go back as were drawn, any of the hand.",
    "prrrt.help.phase.point": (
        "Everybody points at once, never at themselves. Right: you pay nothing, and the culprit "
        "takes a card for your finger. Wrong: you take one. A finger in the air costs nothing. "
        "What you send is final."
    ),
    "prrrt.help.phase.over": "The most points of Shame make the Master of the Fart.",
    "prrrt.help.last_round": "The sideways card was drawn: after this round the game is over.",
    "prrrt.help.end.text": (
        "After the round in which the fifth different context was played, or in which the "
        "sideways Shame card was drawn. Whoever has the most points of Shame is Master of the "
        "Fart; the fewest are best."
    ),
    "prrrt.help.signs.text": (
        "▶ the table waits for this player. ☞ has pointed. ░ face down. “shame 3 (13)”: three "
        "Shame cards, worth 13. A Smell card has as many waves as its value, a Shame card a face "
        "and, where it is small, a “!”. At the top H W T P C are the contexts home, work, travel, "
        "public, couple: ● played, ◐ being played, ○ not yet. “38 to marker”: so many Shame cards "
        "lie on top of the sideways one."
    ),
    # The cards and the table of Low on Gas as they are drawn: at most 4, 8 and 13 letters wide
    "gas.short.1": "eek!",
    "gas.short.2": "tada",
    "gas.short.3": "psst",
    "gas.short.4": "blub",
    "gas.short.5": "BWOO",
    "gas.short.6": "rat!",
    "gas.short.7": "quak",
    "gas.short.8": "RRIP",
    "gas.short.9": "pff",
    "gas.short.10": "krrr",
    "gas.short.C": "Cabb",
    "gas.short.B": "Bean",
    "gas.short.M": "fsst",
    "gas.short.S": "SBD",
    "gas.title.1": "Squeaker",
    "gas.title.2": "Trumpet",
    "gas.title.3": "Whisper",
    "gas.title.4": "Bubbler",
    "gas.title.5": "Foghorn",
    "gas.title.6": "Rattler",
    "gas.title.7": "Duck",
    "gas.title.8": "Ripper",
    "gas.title.9": "Flutter",
    "gas.title.10": "Creaker",
    "gas.title.C": "Cabbage",
    "gas.title.B": "Beans",
    "gas.title.M": "Match",
    "gas.title.S": "Deadly",
    "gas.hand.new": "new",
    "gas.hand.none": "No cards in your hand.",
    "gas.hand.title": "Your hand: {n} {n:card|cards}",
    "command.gas.play": "Play",
    "command.gas.play.help": "Play the card under the cursor, or bring back what waits for you",
    "command.gas.draw": "Draw",
    "command.gas.draw.help": "Pick up what you owe, or draw a card",
    "command.gas.call": "Low on gas!",
    "command.gas.call.help": "Say “low on gas”, now or with the card that leaves you one",
    "command.gas.call_anyway": "Low on gas!",
    "command.gas.call_anyway.help": "Say “low on gas” (it counts when you have one card left)",
    "command.gas.blue": "Blue",
    "command.gas.yellow": "Yellow",
    "command.gas.red": "Red",
    "command.gas.purple": "Purple",
    "command.gas.take_back": "Take it back",
    "gas.colour.title": "{card:card}: which colour goes on?",
    "gas.colour.title.call": "{card:card}, and “Low on gas!”: which colour goes on?",
    "gas.colour.hint": "b y r p, 1 to 4, or a click",
    "gas.colour.hint.call": "b y r p, 1 to 4, or a click · g: low on gas",
    "gas.colour.aside": "Taken back: the card is still in your hand.",
    "gas.status.calls": "“Low on gas!” goes with your card: Space plays, g takes it back.",
    "gas.seat.cards": "{n} {n:card|cards}",
    "gas.seat.one": "1 card!",
    "gas.seat.won": "won {n}",
    "gas.seat.low": "LOW ON GAS",
    "gas.seat.window": "not called!",
    "gas.seat.forgot": "uncalled",
    "gas.doing.owe": "owes {n}",
    "gas.doing.play": "plays",
    "gas.doing.must_play": "must play",
    "gas.doing.deal": "deals",
    "gas.doing.won": "wins",
    "gas.doing.next": "next",
    "gas.felt.clockwise": "clockwise",
    "gas.felt.game": "game {n} · to {wins}",
    "gas.felt.draw": "draw",
    "gas.felt.empty": "none",
    "gas.felt.any": "any colour",
    "gas.felt.or": "or {rank} {name}",
    "gas.felt.selected": "selected",
    "gas.felt.owes": "{who} owes",
    "gas.felt.drew": "{who} drew",
    "gas.felt.owes.you": "you owe",
    "gas.felt.drew.you": "you drew",
    "gas.felt.won": "won game {n}",
    "gas.felt.won.match": "won the match",
    # Low on Gas: colours, farts and their noises
    "colour.blue": "blue",
    "colour.yellow": "yellow",
    "colour.red": "red",
    "colour.purple": "purple",
    "colour.blue.letter": "B",
    "colour.yellow.letter": "Y",
    "colour.red.letter": "R",
    "colour.purple.letter": "P",
    "gas.name.1": "Squeaker",
    "gas.name.2": "Trumpet",
    "gas.name.3": "Whisper",
    "gas.name.4": "Bubbler",
    "gas.name.5": "Foghorn",
    "gas.name.6": "Rattler",
    "gas.name.7": "Duck",
    "gas.name.8": "Ripper",
    "gas.name.9": "Flutter",
    "gas.name.10": "Creaker",
    "gas.name.C": "Cabbage",
    "gas.name.B": "Baked Beans",
    "gas.name.M": "Light a Match",
    "gas.name.S": "Silent But Deadly",
    "gas.noise.1": "eeeek!",
    "gas.noise.2": "ta-daaa!",
    "gas.noise.3": "psss...",
    "gas.noise.4": "blub-blub",
    "gas.noise.5": "BWOOORP!",
    "gas.noise.6": "rat-tat-tat",
    "gas.noise.7": "quack!",
    "gas.noise.8": "RRRIP!",
    "gas.noise.9": "pff-flt-flt",
    "gas.noise.10": "krrreeeak",
    "gas.noise.C": "burble...",
    "gas.noise.B": "poot-poot-poot",
    "gas.noise.M": "fssssht!",
    "gas.noise.S": "...",
    # ... what each card does
    "gas.does.fart": "{card:card}, “{card:noise}”: fits on {colour:colour} and on any {card:kind}.",
    "gas.does.C": "{card:card}, “{card:noise}”: your left neighbour draws 1 before they play.",
    "gas.does.B": "{card:card}, “{card:noise}”: your left neighbour draws 2 before they play.",
    "gas.does.S": "{card:card}: fits on all, you say the colour. Your left neighbour draws 5.",
    "gas.does.M": "{card:card}: fits on all, you say the colour. Puts out what you owe.",
    # ... the status line
    "gas.status.deal": "You deal the next game: Space.",
    "gas.status.play": "Your turn: play a card that fits.",
    "gas.status.play.call": "Your turn. After this card one is left: g says low on gas.",
    "gas.status.play.last": "Your turn: play your last card, and you have won.",
    "gas.status.call_first": "g: say low on gas first! Then your last card may go.",
    "gas.status.costs": "Your last card, uncalled: trying it is a must, and costs {n}.",
    "gas.status.costs.stands": "Your last card, uncalled: it must go, and costs {n}.",
    "gas.status.draw": "Nothing fits: Space draws a card.",
    "gas.status.draw.none": "Nothing fits, nothing is left to draw: Space passes.",
    "gas.status.must_play": "You drew the {card:face}: Space plays it, it must go.",
    "gas.status.must_play.call": "You drew the {card:face}: Space plays it; g calls low on gas.",
    "gas.status.must_play.last": "You drew the {card:face}: Space plays it, and wins.",
    "gas.status.owe": "You owe {owed}: Space picks up.",
    "gas.status.owe.match": "You owe {owed}: Space picks up, Enter plays a Match.",
    "gas.status.owe.pass_on": "You owe {owed}: Space picks up, Enter passes it on.",
    "gas.status.owe.both": "You owe {owed}: Space picks up, Enter plays a card.",
    "gas.status.owed": "{n}",
    "gas.status.owed.sum": "{n} ({sum})",
    "gas.status.colour": "Say which colour goes on.",
    "gas.status.call": "One card left! g: say low on gas, before the next card lies.",
    "gas.status.held": "Your card waits a moment: {who} may still call.",
    "gas.status.wait.play": "{who} plays.",
    "gas.status.wait.owe": "{who} owes {owed}: draws, or a Match.",
    "gas.status.wait.owe.pass_on": "{who} owes {owed}: draws, or answers it.",
    "gas.status.wait.must_play": "{who} drew a card that fits, and must play it.",
    "gas.status.wait.deal": "{who} deals the next game.",
    # ... between games, and the end
    "command.gas.deal": "Deal",
    "command.gas.deal.help": "Deal the next game",
    "gas.button.deal": "d  Deal",
    "gas.standings.title": "Game {n} is over",
    "gas.standings.aside": "Put aside. Space brings the standings back.",
    "gas.standings.won": "{who} {me:win|wins} game {n}!",
    "gas.standings.wins": "{n} {n:win|wins}",
    "gas.standings.left": "{n} {n:card|cards} left",
    "gas.standings.empty": "out of gas",
    "gas.standings.next": "{n} {n:win|wins} make the match. {deals}",
    "gas.standings.dealt": "The next game is dealt. Space goes on.",
    "gas.standings.dealt.yours": "The next game is dealt, and it is your turn. Space goes on.",
    "command.gas.go_on": "Go on",
    "command.gas.go_on.help": "On to the next game",
    "gas.standings.yours": "You deal the next game.",
    "gas.so_far.title": "Game {n} of the match",
    "gas.so_far.to_win": "{n} {n:win makes|wins make} the match.",
    "command.gas.standings": "Standings",
    "command.gas.standings.help": "Who has won how many games of the match",
    "command.gas.back": "Back to the table",
    "gas.result.title": "The end",
    "gas.result.game": "{who} {me:have|has} let it all go and {me:win|wins}!",
    "gas.result.match": "{who} {me:win|wins} the match!",
    "gas.result.alike": "There is no second place.",
    "gas.result.you.won": "Not a whiff left in you. Take a deep breath.",
    "gas.result.you.lost": "Still in you: {n} {n:card|cards}. There is no second place.",
    # ... help for the moment
    "gas.help.call.title": "Your window is open",
    "gas.help.call": (
        "You have one card left: say “low on gas” with g before somebody else's card lies. Without "
        "it your last card won't simply go."
    ),
    "gas.help.costs.title": "Your last card was not called",
    "gas.help.costs.fails": (
        "It fits, so you have to try it. It comes back to you, you draw two more, and the turn is "
        "over. What you still owe is drawn as well."
    ),
    "gas.help.costs.stands": (
        "It fits, so it has to go, with all that it does. Then you draw two, and the turn is over."
    ),
    "gas.help.owe.title": "What is owed",
    "gas.help.owe": (
        "{owed}: whoever's turn it is draws all of it first, then plays a normal turn. A pick-up "
        "played then adds to it, and the next one owes all that; any other card ends it. Only a "
        "Match may be played instead of drawing, and puts it all out."
    ),
    "gas.help.owe.pass_it_on": (
        "{owed}: whoever's turn it is draws all of it, then plays a normal turn; or passes it on "
        "with a pick-up that fits, and the next one owes all that and more; or puts it all out "
        "with a Match."
    ),
    "gas.help.now.title": "Now",
    "gas.help.now.owe": "Draw what is owed (Space), or play one of the cards that may go first.",
    "gas.help.now.play": (
        "One card that fits: the same colour, the same kind, or a wild, which fits on everything "
        "and says the colour that goes on. Who can play must. Who can't draws one card, and plays "
        "it if it fits."
    ),
    "gas.help.now.must_play": "The card just drawn fits, so it has to be played, and no other.",
    "gas.help.now.deal": "The game is won. Its match goes on as soon as the dealer deals.",
    "gas.help.now.over": "Whoever had no card left first has won. There is no second place.",
    "gas.help.cards.title": "The cards",
    "gas.help.card.fart": (
        "Forty farts, ten kinds in four colours: they do nothing but make their noise. Fits: the "
        "colour, or the kind."
    ),
    "gas.help.card.C": "Cabbage (+1, four): the left neighbour draws 1 before they play.",
    "gas.help.card.B": "Baked Beans (+2, four): the left neighbour draws 2 before they play.",
    "gas.help.card.S": (
        "Silent But Deadly (S, one, wild): the left neighbour draws 5; you say the colour."
    ),
    "gas.help.card.M": (
        "Light a Match (M, five, wild): you say the colour. Played while you owe, instead of "
        "drawing, it puts everything out."
    ),
    "gas.help.low.title": "Low on gas",
    "gas.help.low": (
        "With one card left you have to say so, before another player's card lies: with the card "
        "that leaves it, or right after. g does both. A call is good until you hold more than one."
    ),
    "gas.help.end.title": "How it ends",
    "gas.help.end": (
        "Whoever has no card left wins at once, whatever the last one was. There is no second "
        "place. In a match the first to win so many games wins it all."
    ),
    "gas.help.signs.title": "Signs",
    "gas.help.signs": (
        "▶ the table waits for this player. ★ won this game. Colours are letters and shapes, too: "
        "B ■ blue, Y ▲ yellow, R ● red, P ◆ purple. R7 is the red Duck, P+1 the purple Cabbage, "
        "Y+2 the yellow Beans, M a Match (=0: what you owe is out), S Silent But Deadly (+5). In "
        "your hand what can be played is lifted, or has a » before it."
    ),
    # ... what happened
    "gas.log.dealer": "It falls to {who} to deal.",
    "gas.log.dealer.again": "Next to deal: {who}.",
    "gas.log.game": "Game {n}. Seven cards for everybody.",
    "gas.log.dealt": "Your cards: {cards:mark}.",
    "gas.log.start": "On top to begin: the {card:face}. {card:noise}",
    "gas.log.start.free": "On top to begin: the {card:face}. {card:noise} Nobody owes for it.",
    "gas.log.start.open": "On top to begin: the {card:face}. {card:noise} Any card fits.",
    "gas.log.buried": "{n} {n:special|specials} went under the draw pile first.",
    "gas.log.played": "{who} {me:play|plays} the {card:face}: {card:noise}",
    "gas.log.played.M": "{who} {me:light|lights} a Match: {card:noise} Now {colour:colour}.",
    "gas.log.played.S": (
        "{who} {me:let|lets} go a Silent But Deadly: {card:noise} Now {colour:colour}."
    ),
    "gas.log.last.M": "{who} {me:light|lights} a last Match: {card:noise}",
    "gas.log.last.S": "{who} {me:let|lets} go a last Silent But Deadly: {card:noise}",
    "gas.log.put_out": "Up in smoke: the {n} that {who} owed.",
    "gas.log.owes": "{who} {me:owe|owes} {n}.",
    "gas.log.owes.sum": "{sum}: {who} {me:owe|owes} {n}.",
    "gas.log.called": "{who}: “Low on gas!”",
    "gas.log.refused": "{who} {me:slip|slips} the last card out without a word.",
    "gas.log.refused.back": "Caught! It stays in the hand: the {card:face}.",
    "gas.log.drew.owed": "{who} {me:pick|picks} up {n}.",
    "gas.log.drew.owed.seen": "You pick up {n}: {cards:mark}.",
    "gas.log.drew.penalty": "{who} {me:draw|draws} {n} for not calling.",
    "gas.log.drew.penalty.seen": "You draw {n} for not calling: {cards:mark}.",
    "gas.log.drew.unable": "{who} {me:draw|draws} a card.",
    "gas.log.drew.unable.fits": "{who} {me:draw|draws} a card. It fits, so it must go.",
    "gas.log.drew.unable.ends": "{who} {me:draw|draws} a card, and still can't play.",
    "gas.log.drew.unable.seen": "You draw the {cards:face}.",
    "gas.log.drew.unable.seen.fits": "You draw the {cards:face}. It fits, so it must go.",
    "gas.log.drew.unable.seen.ends": "You draw the {cards:face}, and still can't play.",
    "gas.log.waived": "Nothing is left to draw: {who} {me:are|is} let off {n} {n:card|cards}.",
    "gas.log.reshuffled": "The draw pile is empty: {n} {n:discard|discards} shuffled into it.",
    "gas.log.window": "One card again for {who}: it may be called.",
    "gas.log.won": "{who} {me:have|has} let it all go and {me:win|wins}!",
    "gas.log.won.game": "{who} {me:have|has} let it all go and {me:win|wins} game {n}!",
    "gas.log.match": "{who} {me:win|wins} the match!",
}


def _cards() -> dict[str, str]:
    """Return what the cards of Low on Gas are called, by their codes.

    `face` is how one speaks of a card, `mark` how a list names it, `card` both, `kind` its name
    without the colour, `noise` what is heard when it is played.
    """
    short = {"C": "+1", "B": "+2"}
    called: dict[str, str] = {}
    for code in ("M", "S", *(colour + kind for colour in "byrp" for kind in _KINDS)):
        kind = code if code in "MS" else code[1:]
        name = "Match" if code == "M" else WORDS[f"gas.name.{kind}"]
        colour = "" if code in "MS" else _COLOURS[code[0]]
        face = f"{WORDS[f'colour.{colour}']} {name}" if colour else name
        mark = WORDS[f"colour.{colour}.letter"] + short.get(kind, kind) if colour else code
        called |= {
            f"kind.{code}": name,
            f"face.{code}": face,
            f"mark.{code}": mark,
            f"card.{code}": f"{face} ({mark})",
            f"noise.{code}": WORDS[f"gas.noise.{kind}"],
        }
    return called


_KINDS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "C", "B")
_COLOURS = {"b": "blue", "y": "yellow", "r": "red", "p": "purple"}
WORDS |= _cards()
