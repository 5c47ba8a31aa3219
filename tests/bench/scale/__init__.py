"""A large database for benchmarks: a made-up year of runs, copied inside PostgreSQL."""
