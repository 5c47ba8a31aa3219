"""What each action of a moderator does, and how it is undone."""
