"""The embedded PostgreSQL and Valkey and the supervisor behind ./run; knows nothing of the product."""
