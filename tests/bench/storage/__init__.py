"""How many bytes of the database a stored run takes."""
