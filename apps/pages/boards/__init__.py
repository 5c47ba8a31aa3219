"""Boards: plans, providers, drives and runs as tables to filter, order and take away."""
