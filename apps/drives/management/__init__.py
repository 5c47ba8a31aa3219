"""Commands of the drives."""
