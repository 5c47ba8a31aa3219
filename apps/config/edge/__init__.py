"""The web's edge: what is refused before any work, and what every answer says to caches."""
