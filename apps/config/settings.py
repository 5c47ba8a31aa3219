"""Django's settings: one file, and what differs between machines comes from the environment.

The processes of the product and the settings that each is started with stand in processes.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import structlog
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from redis.backoff import NoBackoff
from redis.retry import Retry

from apps.config.alive import heartbeat_file
from apps.config.databases.connecting import connecting
from apps.config.environment import SettingsSource
from apps.config.roles import Role
from apps.wire.limits import ENVELOPE_BYTES_MAX

env = SettingsSource()
BASE_DIR = Path(__file__).resolve().parents[2]

# --- who we are -------------------------------------------------------------------------------
SECRET_KEY = env.str("SECRET_KEY")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
DEBUG = env.bool("DEBUG", default=False)
SITE_URL: str = env.str("SITE_URL", default="http://127.0.0.1:8000").rstrip("/")
_site = urlsplit(SITE_URL)
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=[str(_site.hostname)])
SITE_CONTACT: str = env.str("SITE_CONTACT", default="")  # where people write: mailto: or https:
SITE_OPERATOR: str = env.str("SITE_OPERATOR", default="")  # who answers for it: a name
SITE_ADDRESS: str = env.str("SITE_ADDRESS", default="")  # of the operator; ";" ends a line
SOURCE_URL: str = env.str("SOURCE_URL", default="")  # where the source of this installation is
# A folder of certificates beside those that are shipped; see docs/self-hosting.md.
CLOUD_CERTIFICATES: str = env.str("CLOUD_CERTIFICATES", default="")
AGENT_DIST = Path(env.str("AGENT_DIST", default=str(BASE_DIR / "agent" / "dist")))
# The public key, as PEM, of SHA256SUMS.sig beside the binaries. install.sh asks for that signature
# where it is named here.
AGENT_RELEASE_KEY: str = env.str("AGENT_RELEASE_KEY", default="")
# how many of our own proxies stand in front: as many entries at the end of X-Forwarded-For are true
TRUSTED_PROXY_HOPS: int = env.int("TRUSTED_PROXY_HOPS", default=0)
ROLE = Role(env.str("PROCESS_ROLE", default=Role.COMMAND))
HEARTBEAT_FILE = heartbeat_file(ROLE, env.str("HEARTBEAT_FOLDER", default=""))
METRICS_TOKEN: str = env.str("METRICS_TOKEN", default="")  # blank: only who asks from inside
SENTRY_DSN: str = env.str("SENTRY_DSN", default="")  # where errors are reported; blank: nowhere
SECRET_KEY_CHARACTERS_MIN = 50  # as `manage.py check --deploy` asks; ./run makes 64
if ROLE is not Role.COMMAND and len(SECRET_KEY) < SECRET_KEY_CHARACTERS_MIN:
    raise ImproperlyConfigured(
        f"SECRET_KEY has {len(SECRET_KEY)} characters and needs {SECRET_KEY_CHARACTERS_MIN}:"
        ' python3 -c "import secrets; print(secrets.token_urlsafe(48))" prints a good one.'
    )

INSTALLED_APPS = [
    "apps.config",
    "apps.pages",
    "apps.badges",
    "apps.api",
    "apps.intake",
    "apps.watches",
    "apps.moderation",
    "apps.rankings",
    "apps.runs",
    "apps.drives",
    "apps.plans",
    "apps.accounts",
    "apps.interest",
    "apps.config.staff_app.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials",
    "rest_framework",
    "drf_spectacular",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.github",
    "allauth.socialaccount.providers.gitlab",
    "allauth.socialaccount.providers.google",
]

MIDDLEWARE = [
    "apps.config.edge.health.HealthMiddleware",
    "apps.config.operation.metrics.MetricsMiddleware",
    "apps.config.edge.counting.CountingMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "apps.config.edge.bodies.BodyLimitMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "apps.config.middleware.SecurityHeadersMiddleware",
    "apps.config.edge.caching.SharedPagesMiddleware",
    "csp.middleware.CSPMiddleware",
    "apps.config.middleware.AccountPagesMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.middleware.http.ConditionalGetMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "apps.config.middleware.AddressLanguageMiddleware",
    "apps.config.edge.quotas.QuotaMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "apps.config.databases.middleware.ReplicaMiddleware",  # the last: it may call the view twice
]

ROOT_URLCONF = "apps.config.urls"
WSGI_APPLICATION = "apps.config.wsgi.application"
APPEND_SLASH = True

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# --- the database -----------------------------------------------------------------------------
DATABASE_POOLED: bool = env.bool("DATABASE_POOLED", default=False)  # by PgBouncer, see databases/
DATABASES = {"default": connecting(env.db("DATABASE_URL"), ROLE, is_pooled=DATABASE_POOLED)}
REPLICA_LAG_SECONDS_MAX = 5.0  # a replica further behind is not read from
if ROLE is Role.WEB and env.str("DATABASE_REPLICA_URL", default=""):
    DATABASES["replica"] = connecting(
        env.db("DATABASE_REPLICA_URL"), ROLE, is_pooled=DATABASE_POOLED
    )
    DATABASE_ROUTERS = ["apps.config.databases.reading.ReplicaRouter"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- the doorbell: Celery on Redis or Valkey --------------------------------------------------
# The row is the queue; a lost message is found by the sweeper. So messages are acknowledged
# early, never retried by the broker, and nobody waits long for a broker that is away.
REDIS_URL: str = env.str("REDIS_URL")
SWEEP_SECONDS = 5.0  # seconds between two looks for waiting uploads and marked standings
# RabbitMQ or Sentinels may carry the messages; what is counted or kept for an hour is in REDIS_URL.
BROKER_URL: str = env.str("BROKER_URL", default=REDIS_URL)
DOORBELL_SECONDS = 0.5  # that an upload waits at most for a broker that does not answer
BLOCKING_READ_SECONDS = (
    30.0  # above kombu's own blocking read of 1 s, which a shorter one would break
)
_socket_seconds = DOORBELL_SECONDS if ROLE is Role.WEB else BLOCKING_READ_SECONDS

CELERY_BROKER_URL = BROKER_URL
CELERY_TASK_DEFAULT_QUEUE = env.str("CELERY_QUEUE", default="fsyncmark")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_TIMEOUT = DOORBELL_SECONDS if ROLE is Role.WEB else 4.0
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_timeout": _socket_seconds,
    "socket_connect_timeout": DOORBELL_SECONDS,
    "retry_on_timeout": False,
    "health_check_interval": 25,
    "visibility_timeout": 3600,
    "max_retries": 0 if ROLE is Role.WEB else 3,
    # the next two are read with sentinel:// only
    "master_name": env.str("SENTINEL_MASTER", default="fsyncmark"),
    "sentinel_kwargs": {"password": env.str("SENTINEL_PASSWORD", default="") or None},
}
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = False
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
# Seconds by the clock on the wall, for what hangs; apps.intake.services.work limits processor time.
CELERY_TASK_SOFT_TIME_LIMIT = 50
CELERY_TASK_TIME_LIMIT = 55  # the lease of an upload ends at 60
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 10.0
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_TIMEZONE = "UTC"

# --- what is remembered for an hour -----------------------------------------------------------
CACHE_SECONDS = 0.1  # that a page waits at most for a Valkey that does not answer
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL.replace("redis+socket://", "unix://"),  # Celery's word for a socket
        "KEY_PREFIX": CELERY_TASK_DEFAULT_QUEUE,  # as apart as the queues of two installations
        "OPTIONS": {
            "socket_timeout": CACHE_SECONDS,
            "socket_connect_timeout": CACHE_SECONDS,
            "retry": Retry(NoBackoff(), retries=0),
        },
    }
}

# --- shared pages, kept by each web process ---------------------------------------------------
PAGES_BYTES: int = env.int("PAGES_BYTES", default=64 * 1024 * 1024)  # some three thousand pages
# What badges show is remembered beside them: a busy database delays no picture.
BADGES_REMEMBERED = ROLE is Role.WEB and PAGES_BYTES > 0

# --- badges, as they last were: shown while the database is away -------------------------------
# a folder for each installation on this machine, as its queue
_badges = BASE_DIR / "var" / "badges" / CELERY_TASK_DEFAULT_QUEUE
BADGES_FOLDER = Path(env.str("BADGES_FOLDER", default=str(_badges)))

# --- what a browser may do: nothing inline, nothing from elsewhere ----------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
        "manifest-src": [SELF],
    }
}
IS_HTTPS = _site.scheme == "https"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS else 0  # one year
SECURE_HSTS_INCLUDE_SUBDOMAINS = IS_HTTPS
# The lists that browsers ship forget a name after months: nobody is put on them unasked.
SECURE_HSTS_PRELOAD = IS_HTTPS and env.bool("HSTS_PRELOAD", default=False)
SILENCED_SYSTEM_CHECKS = ["security.W021"]  # asks for the preload
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if IS_HTTPS else None
X_FRAME_OPTIONS = "DENY"

# __Host- names are bound to this host and to HTTPS: a browser refuses them over http
_cookie_prefix = "__Host-" if IS_HTTPS else ""
SESSION_COOKIE_NAME = f"{_cookie_prefix}session"
SESSION_COOKIE_SECURE = IS_HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 14 * 24 * 3600  # seconds idle
DEVICE_COOKIE_NAME = f"{_cookie_prefix}device"  # where somebody signed in before
WROTE_COOKIE_NAME = f"{_cookie_prefix}wrote"  # who wrote a moment ago reads from the primary
WROTE_COOKIE_AGE = round(2 * REPLICA_LAG_SECONDS_MAX)  # by then the replica has it, or is not used
CSRF_COOKIE_NAME = f"{_cookie_prefix}csrf"
CSRF_COOKIE_SECURE = IS_HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "apps.pages.reading.views.form_refused"
CSRF_TRUSTED_ORIGINS = [SITE_URL] if IS_HTTPS else []

# --- people: accounts, second factors, sign-in by others ---------------------------------------
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",  # OWASP's first choice
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",  # of staff from before; made anew at login
]
PASSWORD_CHARACTERS_MIN = 12  # ASVS 5.0, 6.2.1 demands 8 and recommends 15; a phrase has them
_validators = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_validators}.UserAttributeSimilarityValidator"},
    {
        "NAME": f"{_validators}.MinimumLengthValidator",
        "OPTIONS": {"min_length": PASSWORD_CHARACTERS_MIN},
    },
    {"NAME": f"{_validators}.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "pages:account"
ACCOUNT_ADAPTER = "apps.pages.account.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_SIGNUP_FORM_CLASS = "apps.pages.account.forms.TermsForm"
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_NOTIFICATIONS = True  # of every change that an intruder would make
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_USER_DISPLAY = "apps.pages.account.adapter.shown_name"  # of a random user name: the address
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"  # where the message about it is shown
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300  # seconds in which nobody is asked again
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = True
# A neighbour behind one address, or who knows somebody's, uses up what unknown browsers have: known
# ones have a limit of their own, apps/pages/account/devices.py. The other limits are allauth's.
ACCOUNT_RATE_LIMITS = {
    "login": "",  # of all browsers of an address alike
    "unknown_browser": "10/m/ip",
    "login_failed": "5/5m/key",  # of an account
    "known_browser": "10/5m/key",
}
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Fsyncmark: "
ACCOUNT_DEFAULT_HTTP_PROTOCOL = _site.scheme
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_ADAPTER = "apps.accounts.second_factor.SecondFactorAdapter"
# else nobody with a second factor could change their address; a sign-in needs a verified one anyway
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Fsyncmark"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not IS_HTTPS
SOCIALACCOUNT_AUTO_SIGNUP = False  # the form has the terms
SOCIALACCOUNT_QUERY_EMAIL = True


def _sign_in_provider(name: str, **more: Any) -> dict[str, Any]:
    """Settings of a provider; without a client id it is on no page."""
    client_id = env.str(f"{name}_CLIENT_ID", default="")
    secret = env.str(f"{name}_CLIENT_SECRET", default="")
    apps = [{"client_id": client_id, "secret": secret}] if client_id else []
    return {"APPS": apps, "OAUTH_PKCE_ENABLED": True, **more}


def _addresses_of_google() -> dict[str, str]:
    """Where Google answers, or what stands for it: a site's own provider, or that of a test."""
    url = env.str("GOOGLE_URL", default="")
    if not url:
        return {}  # allauth knows them
    return {
        "AUTHORIZE_URL": f"{url}/o/oauth2/v2/auth",
        "ACCESS_TOKEN_URL": f"{url}/token",
        "CERTS_URL": f"{url}/oauth2/v1/certs",
        "ID_TOKEN_ISSUER": url,
    }


GITHUB_URL: str = env.str("GITHUB_URL", default="https://github.com")
GITLAB_URL: str = env.str("GITLAB_URL", default="https://gitlab.com")
# GitHub's own API has another host; that of an installation of it lies below its address
_of_github = {} if GITHUB_URL == "https://github.com" else {"GITHUB_URL": GITHUB_URL}
_of_google = _addresses_of_google()
SOCIALACCOUNT_PROVIDERS = {
    "github": _sign_in_provider("GITHUB", SCOPE=["user:email"], **_of_github),
    "gitlab": _sign_in_provider("GITLAB", SCOPE=["read_user"], GITLAB_URL=GITLAB_URL),
    "google": _sign_in_provider("GOOGLE", SCOPE=["email"], **_of_google),
}
# A form that begins a sign-in with a provider is sent on to it: where a browser lets it go.
SIGN_IN_ORIGINS = [
    "{0.scheme}://{0.netloc}".format(urlsplit(url))
    for name, url in (
        ("github", GITHUB_URL),
        ("gitlab", GITLAB_URL),
        ("google", _of_google.get("AUTHORIZE_URL", "https://accounts.google.com")),
    )
    if SOCIALACCOUNT_PROVIDERS[name]["APPS"]
]

# --- mail: into a folder, or over SMTP by EMAIL_URL --------------------------------------------
EMAIL_CONFIG = env.email_url("EMAIL_URL", default=f"filemail:///{BASE_DIR / 'var' / 'mail'}")
vars().update(EMAIL_CONFIG)
EMAIL_TIMEOUT = 10  # seconds: who signs up waits for the mail server, and is told when it is away
DEFAULT_FROM_EMAIL: str = env.str("MAIL_FROM", default=f"fsyncmark@{_site.hostname}")
SERVER_EMAIL = DEFAULT_FROM_EMAIL

DATA_UPLOAD_MAX_MEMORY_SIZE = ENVELOPE_BYTES_MAX  # no form is larger; upload views limit themselves
DATA_UPLOAD_MAX_NUMBER_FIELDS = 100
FILE_UPLOAD_MAX_MEMORY_SIZE = ENVELOPE_BYTES_MAX

# --- static files -----------------------------------------------------------------------------
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"] if (BASE_DIR / "static").is_dir() else []
STATIC_ROOT = env.str("STATIC_ROOT", default="") or None  # set in the image, after collectstatic
WHITENOISE_USE_FINDERS = STATIC_ROOT is None
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_MAX_AGE = 60 if STATIC_ROOT is None else 3600
# --- the daily dump: in a folder, or in a store that speaks S3: docs/self-hosting.md ------------
DUMPS_FOLDER: str = env.str("DUMPS_FOLDER", default="")
DUMPS_BUCKET: str = env.str("DUMPS_BUCKET", default="")
DUMPS = bool(DUMPS_FOLDER or DUMPS_BUCKET)  # whether a worker writes one a day


def _dump_storage() -> dict[str, Any]:
    if not DUMPS_BUCKET:
        return {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": DUMPS_FOLDER or BASE_DIR / "var" / "dumps"},
        }
    # Of the bucket, where readers are sent; one without a protocol is https, as pages are.
    protocol, _, public = env.str("DUMPS_PUBLIC_URL", default="").rstrip("/").rpartition("://")
    return {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": DUMPS_BUCKET,
            "endpoint_url": env.str("DUMPS_ENDPOINT", default="") or None,
            "region_name": env.str("DUMPS_REGION", default="") or None,
            "access_key": env.str("DUMPS_ACCESS_KEY", default="") or None,
            "secret_key": env.str("DUMPS_SECRET_KEY", default="") or None,
            "querystring_auth": False,
            "custom_domain": public or None,
            "url_protocol": f"{protocol or 'https'}:",
            "file_overwrite": True,
            "addressing_style": "path",
        },
    }


STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "dumps": _dump_storage(),
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if STATIC_ROOT
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# --- the public API ---------------------------------------------------------------------------
REST_FRAMEWORK: dict[str, Any] = {
    # no session and no cookie is accepted, which is why the API needs no CSRF token
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Fsyncmark API",
    "DESCRIPTION": "Durable commits per second of real machines: runs, plans, drives, standings.",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.0",
    "COMPONENT_SPLIT_REQUEST": True,
    "SERVE_INCLUDE_SCHEMA": False,
}

# --- language and time ------------------------------------------------------------------------
# English has no prefix in the address, every other language has its code: one address, one text
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
# A folder for each room and each app: docs/translating.md
LOCALE_PATHS = sorted({each.parents[1] for each in (BASE_DIR / "locale").rglob("LC_MESSAGES")})
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True

# --- logs: one JSON object a line on standard error -------------------------------------------
LOG_LEVEL = env.str("LOG_LEVEL", default="INFO")
_shared_processors: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]
structlog.configure(
    processors=[
        *_shared_processors[:1],
        structlog.stdlib.filter_by_level,
        *_shared_processors[1:3],
        _shared_processors[4],
        structlog.processors.format_exc_info,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "json": {
            "()": structlog.stdlib.ProcessorFormatter,
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),
            ],
            "foreign_pre_chain": _shared_processors,
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        "django": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
    },
}
