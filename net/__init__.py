"""The host, the seats, and what lies between them: see README.md in this folder."""
