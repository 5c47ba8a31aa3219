"""What other sites show of this one: badges, and the pictures of shared links."""
