"""The page of one run, and of one of its workloads."""
