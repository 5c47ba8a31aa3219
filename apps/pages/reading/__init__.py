"""Pages to read: how to measure, the method, about, the styleguide."""
