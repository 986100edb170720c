"""Low on Gas: a shedding game with pick-ups that pile up and matches that put them out."""
