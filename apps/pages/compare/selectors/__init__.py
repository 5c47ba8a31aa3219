"""What a comparison reads from the database."""
