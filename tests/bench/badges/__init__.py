"""Badges at a steady rate while the database is busy, and while it is stopped."""
