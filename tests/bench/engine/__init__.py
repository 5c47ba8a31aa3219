"""`./run bench engine`: the agent's timed loops beside fio on the same files."""
