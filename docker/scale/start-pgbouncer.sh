#!/bin/sh
# Writes the list of users from the environment, and becomes PgBouncer. With SCRAM it needs passwords.
set -eu
umask 077
printf '"fsyncmark" "%s"\n' "$FSYNCMARK_PASSWORD" >userlist.txt
unset FSYNCMARK_PASSWORD
exec pgbouncer /etc/pgbouncer/pgbouncer.ini
