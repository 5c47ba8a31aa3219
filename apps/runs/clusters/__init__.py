"""Uploaders who may be one person: found at night, judged as one until a person splits them."""
