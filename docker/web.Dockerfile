# Web server, worker and sweeper: one image, the command says which (see compose.yaml). It holds the
# embedded servers for pg_dump and pg_restore of `manage.py backup` and `restore`; nothing starts them.
#   docker build -f docker/web.Dockerfile -t fsyncmark .
FROM python:3.13-slim-bookworm AS build
WORKDIR /srv/app
ENV UV_PYTHON_DOWNLOADS=never UV_LINK_MODE=copy UV_NO_CACHE=1
COPY requirements requirements
RUN python -m pip install --no-cache-dir --require-hashes --no-deps -r requirements/tools.txt \
    && uv venv /opt/fsyncmark \
    && uv pip sync --require-hashes --python /opt/fsyncmark/bin/python requirements/base.txt \
        requirements/embedded.txt
ENV PATH=/opt/fsyncmark/bin:$PATH
COPY manage.py manage.py
COPY agent/install.sh agent/install.sh
COPY apps apps
COPY templates templates
COPY locale locale
COPY static static
COPY docs docs
# none of the three is reached: the settings want them to be there
RUN SECRET_KEY=unused DATABASE_URL=postgresql://unused REDIS_URL=redis://unused \
    STATIC_ROOT=/srv/static python manage.py collectstatic --no-input \
    && python -m compileall -q apps

FROM python:3.13-slim-bookworm
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin fsyncmark \
    && install -d -o 10001 -g 10001 /srv/dumps
COPY --from=build /opt/fsyncmark /opt/fsyncmark
COPY --from=build /srv/app /srv/app
COPY --from=build /srv/static /srv/static
WORKDIR /srv/app
ENV PATH=/opt/fsyncmark/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DJANGO_SETTINGS_MODULE=apps.config.settings \
    STATIC_ROOT=/srv/static \
    AGENT_DIST=/srv/agent-dist \
    HEARTBEAT_FOLDER=/tmp \
    BADGES_FOLDER=/tmp/badges \
    DUMPS_FOLDER=/srv/dumps
USER 10001:10001
EXPOSE 8000
CMD ["granian", "--interface", "rsgi", "apps.config.edge.server:application", "--host", "0.0.0.0"]
