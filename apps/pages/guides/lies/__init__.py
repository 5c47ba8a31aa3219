"""Numbers that lie: what each seems to say, what it says, and how to catch it."""
