"""What the door and the workers do: accepting runs, issuing challenges, working the queue."""
