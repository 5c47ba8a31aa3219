"""Servers without one of their guards of accounts, of the desk, and of what people agreed to."""
