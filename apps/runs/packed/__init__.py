"""How stored runs are made small (the bytes of uploads, histograms, samples) and written fast."""
