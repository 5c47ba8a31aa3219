"""Plans that people watch: a mail when the figures, the tier or the price of one changed."""
