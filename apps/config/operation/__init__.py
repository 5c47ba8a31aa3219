"""What keeps an installation well: backup and restore, its examination, and its figures."""
