"""Everything Python that runs in production, one folder per job; README.md lists them."""
