#!/bin/sh
# While the replica is away, commits wait for the medium of the primary alone: else every upload, and
# soon every page, would wait for a machine that may not come back. When it follows again, commits wait
# for it again. The last word of the log is whether a promoted replica would lack something: `together`
# or `alone`; so this runs on a third machine. $SERVERS: both hosts, of which one is written to.
set -eu
export PGPASSWORD="$REPLICATION_PASSWORD"
server="host=$SERVERS port=5432 user=replication dbname=postgres connect_timeout=2 target_session_attrs=read-write"
away_seconds=5
seen="SELECT count(*) || ' ' || current_setting('synchronous_standby_names')
    FROM pg_stat_replication WHERE application_name = 'standby' AND state = 'streaming'"
missing=0
said=

ask() {
    psql --no-psqlrc --quiet --tuples-only --no-align --dbname="$server" "$@"
}

let_commits() {
    ask --command="ALTER SYSTEM $1" --command="SELECT pg_reload_conf()" >/dev/null || :
}

say() {
    [ "$said" = "$1" ] || echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $1"
    said=$1
}

while sleep 1; do
    found=$(ask --command="$seen" 2>/dev/null) || continue # nobody is written to just now
    names=${found#* }
    missing=$((missing + 1))
    [ "${found%% *}" = 0 ] || missing=0
    if [ "$missing" -ge "$away_seconds" ] && [ -n "$names" ]; then
        let_commits "SET synchronous_standby_names = ''"
    elif [ "$missing" = 0 ] && [ -z "$names" ]; then
        let_commits "RESET synchronous_standby_names"
    fi
    if [ -z "$names" ]; then say alone; elif [ "$missing" = 0 ]; then say together; fi
done
