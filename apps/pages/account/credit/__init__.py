"""How who measures is named for it, who wants to."""
