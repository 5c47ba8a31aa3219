"""Classes of comparable work: how far they lie apart, measured and published."""
