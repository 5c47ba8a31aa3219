"""Facts of a run as pages list them: of its machine, its drive and its measurements."""
