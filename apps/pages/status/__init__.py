"""What the public may know of how the site is doing."""
