"""A browser, and how much a page may say in it."""
