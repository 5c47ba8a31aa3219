"""Runs of level Published, made of results that others published."""
