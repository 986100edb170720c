"""Achoo: a third game, as small as one can be, and what it takes to bring one.

Everybody holds four secret cards and plays one a turn. A card that `sneeze` divides makes
its player sneeze: it counts nothing unless they say "sorry", which they may at any moment
until the next one sneezes, and for which nobody waits. Most points win.

What a newcomer writes is these files; nothing outside them knows of the game, but for one
line in `core.registry` (here: in the tests) and, for people, its widgets.

    events.py     what can happen, and what a seat may see of it
    table.py      what lies on the table, and what each event changes there (the folds)
    questions.py  what is waited for: who may speak, what, and what it does
    game.py       how it begins and goes on; how a table looks as JSON; speaking up in time
    rules.py      actions, options, seats, bots, and how all of it is read back
"""
