"""How processes reach PostgreSQL: the primary, a replica, a pooler between."""
