"""Mathematics of latencies and standings: no Django, no database, no clock."""
