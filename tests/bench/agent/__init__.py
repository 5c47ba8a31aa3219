"""How soon the agent measures, and what it takes of a machine."""
