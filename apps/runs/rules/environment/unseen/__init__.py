"""Rules about what cannot be told from inside: each names what a run looks like as well."""
