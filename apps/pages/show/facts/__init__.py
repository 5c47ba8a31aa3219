"""A fact as pages list it, and what a run states of its surroundings."""
