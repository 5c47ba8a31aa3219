"""Two to six plans, drives or runs beside each other: what differs, and how sure that is."""
