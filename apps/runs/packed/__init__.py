"""How stored runs are made small: the bytes of uploads, the histograms, the samples of passes."""
