#!/bin/sh
# Starts a replica of $PRIMARY, which it copies first when its folder is empty. Arguments are postgres's.
set -eu
export PGPASSWORD="$REPLICATION_PASSWORD"
primary="host=$PRIMARY port=5432 user=replication application_name=standby connect_timeout=5"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    rm -rf "$PGDATA.partial"
    until pg_receivewal --create-slot --if-not-exists --slot=standby --dbname="$primary"; do
        sleep 1
    done
    pg_basebackup --dbname="$primary" --pgdata="$PGDATA.partial" --slot=standby --write-recovery-conf --checkpoint=fast
    # Once it is promoted it has no standby of its own, and must not wait for one.
    echo "synchronous_standby_names = ''" >>"$PGDATA.partial/postgresql.auto.conf"
    rm -rf "$PGDATA"
    mv "$PGDATA.partial" "$PGDATA"
fi
unset PGPASSWORD
exec postgres -D "$PGDATA" "$@"
