"""What addresses of pages may say: query strings, ids, and names of things to compare."""
