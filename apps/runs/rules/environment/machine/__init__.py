"""Rules about what measured, and what else went on meanwhile."""
