"""Commands of the rankings."""
