"""What the page of a plan, a drive or a provider reads from the database."""
