"""Rules that compare a run with others, which `label_peers` of apps.runs.services applies."""
