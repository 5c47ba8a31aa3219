"""Draws badges: pure functions from a few words and one latency to SVG, and SVG to PNG."""
