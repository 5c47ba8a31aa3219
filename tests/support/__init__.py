"""Fixtures that bring up real processes, a real browser and a real agent."""
