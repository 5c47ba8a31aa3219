"""How far a run is believed: its level, and whose it is."""
