"""The site that faults hurt, and the grounds on which it stands."""
