"""Facts of a run as its pages list them: of its machine, its drive, and of one workload."""
