"""Geometry of what the server draws: everything hangs from one logarithmic axis of time."""
