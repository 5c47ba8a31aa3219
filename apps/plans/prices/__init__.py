"""Prices: files, kinds, currencies and exchange rates, network volumes."""
