"""`./run faults`: uploads by the agent's own code while everything that can fail does."""
