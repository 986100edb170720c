"""The screens around the table: home, set-up, lobby, help, and what stands between them."""
