"""What several pages draw: everything hangs from one logarithmic axis of time. It knows no room."""
