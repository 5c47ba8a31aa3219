"""The pages, one view each: ask once, render once. The same view answers htmx with a part."""
