"""Checks the files of published results: shape, names, arithmetic, and whether sources answer."""
