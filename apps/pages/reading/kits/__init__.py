"""Measuring kits: texts by which somebody rents a plan, measures it, and deletes it again."""
