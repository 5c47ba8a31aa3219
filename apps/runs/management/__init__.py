"""Commands of the stored facts."""
