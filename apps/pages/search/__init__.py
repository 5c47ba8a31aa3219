"""The search: things by name, pages by their words, runs by their ids."""
