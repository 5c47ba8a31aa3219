"""Credit for who measures: public names, and tickets that say for whom a machine did."""
