"""The faults by what they hit."""
