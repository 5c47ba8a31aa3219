"""How the runs of a cell become a standing, and the standings of a board get their ranks."""
