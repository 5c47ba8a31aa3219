#!/bin/sh
# Makes the role by which a replica follows; the image runs it once, in an empty cluster of a primary.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$REPLICATION_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
CREATE ROLE replication LOGIN REPLICATION PASSWORD :'password';
SQL
echo 'host replication replication all scram-sha-256' >>"$PGDATA/pg_hba.conf"
