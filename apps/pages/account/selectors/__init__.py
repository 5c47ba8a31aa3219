"""Reads of what is a person's."""
