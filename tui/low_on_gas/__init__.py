"""The table of Low on Gas."""
