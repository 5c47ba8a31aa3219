"""Pictures that shared links show: what is on one, and how it is drawn."""
