"""Guides to workloads: what each waits for, who stands for it, and the rule that judges a row."""
