"""Rules about where the file lay, what measured, and what else went on meanwhile."""
