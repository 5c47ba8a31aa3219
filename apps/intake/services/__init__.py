"""What the upload API and the workers do: accept runs, issue challenges, work the queue."""
