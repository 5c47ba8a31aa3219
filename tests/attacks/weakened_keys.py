"""Servers without one of their guards of keys, of what keys state, and of agents."""
