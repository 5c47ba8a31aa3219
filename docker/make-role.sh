#!/bin/sh
# Makes the product's role and its database; the image runs it once, in an empty cluster. The role
# owns its database and nothing else. Nobody knows the superuser's password: it is for
# `docker compose exec --user postgres postgres psql`, which needs none.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$FSYNCMARK_PASSWORD" --username postgres <<'SQL'
CREATE ROLE fsyncmark LOGIN PASSWORD :'password';
CREATE DATABASE fsyncmark OWNER fsyncmark;
ALTER ROLE postgres PASSWORD NULL;
SQL
