"""What providers sign about their machines: certificates, documents, and what follows for a run."""
