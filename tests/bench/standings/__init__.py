"""What the standings of one upload take."""
