"""Rules: the list of them, and what each one means."""
