"""Trials of the method on invented data whose truth is known."""
