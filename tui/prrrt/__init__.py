"""The screens of PRRRT: the table with its hand, shame pile, dialogs, Revelation and result."""
