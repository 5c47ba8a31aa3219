"""manage.py's commands."""
