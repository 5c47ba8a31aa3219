"""How much people look for a plan, a drive or a provider: totals of days, and nobody's name."""
