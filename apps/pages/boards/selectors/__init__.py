"""What the boards read from the database, in few queries each."""
