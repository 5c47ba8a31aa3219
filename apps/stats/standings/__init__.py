"""From the runs of a cell to its figure, its interval and its rank."""
