"""Stores what was computed of cells, and what follows from it for runs and boards."""
