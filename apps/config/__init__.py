"""Settings, addresses and processes: the one place that knows every app."""
