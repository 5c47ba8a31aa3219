"""Whether the run as a whole fits its clocks, its challenge, its suite and what came before."""
