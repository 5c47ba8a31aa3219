"""The advisor's page: what it asks, what it answers in words, and how an answer is drawn."""
