"""Feeds of what changed: tiers, change points, prices and the method. Runs have theirs in `run`."""
