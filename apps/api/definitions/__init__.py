"""What is defined rather than stored: workloads, rules, versions of the method, names of drives."""
