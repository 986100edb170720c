"""What the tables of all games have in common: a game's own screen is built on it."""
