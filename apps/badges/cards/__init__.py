"""Cards: a badge with room for its axis, its work and its cost, as a page to frame or a picture."""
