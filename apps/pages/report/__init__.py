"""What readers report and providers reply, the answers to it, and the public log of decisions."""
