"""Makes the rows of all runs again beside those that are read, and puts them in their place.

The new rows grow in tables of the same names in a schema of their own, batch by batch, while
uploads come in and are shown. What changes meanwhile is noted and made again at the end, when the
tables change places. A rebuild that was broken off goes on with the batches that are left.
"""
