"""Commands of whoever runs the site."""
