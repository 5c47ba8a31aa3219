"""What a latency can be on the fsync ladder: its class, and the floors of each class."""
