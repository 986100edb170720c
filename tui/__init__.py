"""The screens of prrrt and its command line: the only package that draws."""
