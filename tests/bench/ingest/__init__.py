"""How many uploads a second the door takes, beside pgbench storing the same rows."""
