#!/bin/sh
# Makes the role by which a replica follows and guard.sh decides whether commits wait for it; the image
# runs it once, in an empty cluster of a primary.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$REPLICATION_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
CREATE ROLE replication LOGIN REPLICATION PASSWORD :'password';
GRANT pg_monitor TO replication;
GRANT ALTER SYSTEM ON PARAMETER synchronous_standby_names TO replication;
GRANT EXECUTE ON FUNCTION pg_reload_conf() TO replication;
SQL
echo 'host replication replication all scram-sha-256' >>"$PGDATA/pg_hba.conf"
