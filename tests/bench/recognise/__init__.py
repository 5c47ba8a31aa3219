"""How fast names of drives are recognised."""
