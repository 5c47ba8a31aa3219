"""What the pages read from the database, in few queries each."""
