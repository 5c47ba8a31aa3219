"""Which plans carry a load: needs in, plans with their confidence, cost and weakest point out."""
