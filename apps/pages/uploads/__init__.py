"""Where an upload is: from the queue to the standings it counts in."""
