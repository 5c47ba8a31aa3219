"""`./run test` and `./run lint`: what a change must pass."""
