"""How fast shared pages are answered, beside static files of the same server."""
