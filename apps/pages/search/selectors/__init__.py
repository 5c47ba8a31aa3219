"""What the search reads: things by name, and the best of those that a question is about."""
