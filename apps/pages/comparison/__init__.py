"""Two to six plans, drives or runs beside each other: what was asked, what differs, how sure."""
