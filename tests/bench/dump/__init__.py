"""What writing the daily dump takes at many runs."""
