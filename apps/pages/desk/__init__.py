"""The desk of moderators: what waits, its evidence side by side, and decisions with a reason."""
