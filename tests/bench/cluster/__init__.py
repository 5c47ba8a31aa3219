"""What each step to many machines gains and costs, on one machine."""
