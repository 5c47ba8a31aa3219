"""Everything Python that runs in production, one folder per job; README.md says what each is for."""
