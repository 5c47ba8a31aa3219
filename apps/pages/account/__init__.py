"""The pages of a signed-in person: keys, machines, runs, and what we keep of them."""
