"""How long a year of example runs takes to load."""
