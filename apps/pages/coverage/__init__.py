"""Coverage: what nobody has measured, what has too few uploaders to rank, and what is old."""
