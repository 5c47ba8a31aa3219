"""Rules about what was measured: whether claim, machine, drive and network say the same of it."""
