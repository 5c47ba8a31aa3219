"""Terms, privacy and imprint, and the question whether a person agrees to new terms."""
