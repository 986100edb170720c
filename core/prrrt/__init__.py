"""PRRRT, the game of who did it and who says so."""
