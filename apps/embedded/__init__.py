"""The PostgreSQL, the Valkey and the child processes behind ./run; knows nothing of the product."""
