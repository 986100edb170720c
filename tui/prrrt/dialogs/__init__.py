"""What a person is asked at the table: one typed dialog for each kind of answer."""
