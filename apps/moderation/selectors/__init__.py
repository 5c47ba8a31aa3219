"""What waits for a moderator, what was decided, and what pages show of it."""
