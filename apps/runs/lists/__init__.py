"""What lists of runs read instead of counting and sorting all of them."""
