"""`./run bench classes`: how far kinds of durable work lie apart on one disk."""
