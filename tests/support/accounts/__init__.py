"""People, staff, who watches plans, and a provider that vouches for people."""
