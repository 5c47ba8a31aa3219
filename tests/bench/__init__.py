"""`./run bench`: each benchmark has goals, JSON and a table in docs/."""
