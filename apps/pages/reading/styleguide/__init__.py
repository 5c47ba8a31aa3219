"""The styleguide: what the pages are made of, from the real tokens and the real parts."""
