"""Versions: of the method, and of what shared pages show."""
