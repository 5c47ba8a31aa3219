"""Whether the figures of one workload fit each other."""
