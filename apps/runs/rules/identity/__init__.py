"""Rules about what was measured: whether claim, machine, drive and network agree on it."""
