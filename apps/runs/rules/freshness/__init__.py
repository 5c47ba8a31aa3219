"""Rules about whether a run was made between a challenge of this server and its expiry."""
