# Debian's PgBouncer, which tests and `./run cluster` use too.
#   docker build -f docker/scale/pgbouncer.Dockerfile -t fsyncmark-pgbouncer .
FROM debian:bookworm-slim
# No version: the newest fix of Debian's stable one is wanted.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends pgbouncer \
    && rm -rf /var/lib/apt/lists/*
COPY docker/scale/start-pgbouncer.sh /usr/local/bin/start-pgbouncer
WORKDIR /tmp
USER 10001:10001
EXPOSE 6432
CMD ["start-pgbouncer"]
