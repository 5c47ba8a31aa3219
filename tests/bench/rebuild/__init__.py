"""How fast everything is made again of the stored bytes."""
