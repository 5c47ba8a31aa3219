"""Runs of level Imported, made of the outputs of other benchmarks."""
