"""The OpenAPI description of the API."""
