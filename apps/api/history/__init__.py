"""What was found and when: labels, dated prices, envelopes, and what changed."""
