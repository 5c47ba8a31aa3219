"""A made-up year of runs, to look at every page before there are real ones. Never by default."""
