"""Rules about what people decided: owners of runs and keys, and moderators."""
