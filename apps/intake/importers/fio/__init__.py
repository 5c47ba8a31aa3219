"""Outputs of fio: its JSON, its text, and what its options say."""
