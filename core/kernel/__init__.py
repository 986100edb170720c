"""What every game of the house is built from."""
