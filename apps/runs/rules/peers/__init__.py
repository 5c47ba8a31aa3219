"""Rules about a run beside those of others, which need the whole cell: see the services of runs."""
