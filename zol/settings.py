"""Settings of the whole product; the environment is read nowhere else (docs/configuration.md)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from zol.devservices import locations
from zol.languages import Language
from zol.postgres.roles import application_url

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

STATE_DIR = Path(env.str("STATE_DIR", default=str(BASE_DIR / ".state"))).resolve()
PORT = env.int("PORT", default=8000)
#: How many processes serve the web; empty is one for each core (`zol.web.programs`).
WEB_PROCESSES = env.str("WEB_PROCESSES", default="")
DEBUG = env.bool("DEBUG", default=False)
#: Fixed time at which every question is asked, for repeatable exams; empty is now.
CLOCK_AT = env.str("CLOCK_AT", default="")
if CLOCK_AT and not DEBUG:
    raise ImproperlyConfigured("CLOCK_AT stops the clock: it is refused unless DEBUG is on.")
SECRET_KEY = env.str("SECRET_KEY", default="") or locations.secret(STATE_DIR, "secret_key")
#: Which hosts exist is data: `zol.access.middleware` answers an unknown one with 404.
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["*"])
#: Addresses and networks of reverse proxies, whose forwarding headers are trusted.
TRUSTED_PROXIES = env.list("TRUSTED_PROXIES", default=[])
#: Networks that see the details of `/health/ready`; others see only whether it is ready.
INTERNAL_NETWORKS = env.list(
    "INTERNAL_NETWORKS", default=["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"]
)
#: Limits to the questions of an anonymous visitor; empty for none.
RATE_LIMITS = env.str("RATE_LIMITS", default="60/hour, 5/10 seconds")
#: Seconds after which an idle socket is closed; the page reopens it at the next key press.
SOCKET_IDLE_SECONDS = env.int("SOCKET_IDLE_SECONDS", default=900)

INSTALLED_APPS = [
    "daphne",
    "zol",
    "taxonomy",
    "retrieval",
    "chat",
    "evaluation",
    "zol.apps.ZolAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "knox",
    "axes",
    "csp",
]

MIDDLEWARE = [
    "zol.access.visitors.ProxyMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "zol.access.middleware.HospitalMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "zol.access.middleware.PageLanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "zol.access.middleware.ActingMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "zol.urls"
ASGI_APPLICATION = "zol.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ]
        },
    }
]

# --- PostgreSQL: the owner migrates; the application is a lesser role under row-level security ---
OWNER_URL = env.str("DATABASE_URL", default="") or locations.database_url(STATE_DIR)
EMBEDDED = locations.embedded_services(STATE_DIR, OWNER_URL, "")
APPLICATION_URL = env.str("DATABASE_APP_URL", default="") or application_url(OWNER_URL, SECRET_KEY)


def database(url: str, **more: object) -> dict[str, object]:
    """Return the settings of a database connection; options in the URL are kept."""
    config = env.db_url_config(url)
    if not config.get("NAME") or "postgres" not in str(config.get("ENGINE")):
        # The address itself may hold a password.
        form = "postgresql://USER:PASSWORD@HOST:5432/NAME"
        raise ImproperlyConfigured(f"DATABASE_URL and DATABASE_APP_URL have the form {form}.")
    # Seconds and milliseconds: visitors must not wait minutes for a server that is gone.
    patience = {"connect_timeout": 3, "tcp_user_timeout": 5_000}
    options = {**patience, **config.get("OPTIONS", {}), **more.pop("OPTIONS", {})}  # type: ignore[dict-item]
    return {
        **config,
        "ENGINE": "zol.postgres",
        "OPTIONS": options,
        "CONN_HEALTH_CHECKS": True,
        **more,
    }


#: Prepared statements with server-side binding save 0.1 to 0.3 ms a query. Not for the owner:
#: migrations send several statements together, which cannot be prepared.
PREPARED = {"server_side_binding": True, "prepare_threshold": 0}
DATABASES = {
    # Web processes take its connections from a pool (zol/postgres/pool.py).
    "default": database(
        APPLICATION_URL, CONN_MAX_AGE=0, OPTIONS=PREPARED, TEST={"MIRROR": "owner"}
    ),
    "owner": database(OWNER_URL),
}
#: Whether `migrate` also brings the product's default rows up to date.
DEFAULTS_WITH_MIGRATE = True
DATABASE_ROUTERS = ["zol.postgres.roles.OwnerMigrates"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Redis: broker, channel layer, announcements ---
REDIS_URL = env.str("REDIS_URL", default="") or locations.redis_url(STATE_DIR)
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.core.RedisChannelLayer",
        # Blocking reads last longer than redis-py's default time-out, which would end idle sockets.
        "CONFIG": {"hosts": [{"address": REDIS_URL, "socket_timeout": None}], "prefix": "zol"},
    }
}
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1)
#: Only for tasks with a progress page; results expire after a day.
CELERY_RESULT_BACKEND = CELERY_BROKER_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = "live"
#: Seconds until a task is asked to end and until its process is killed, and KiB of memory after
#: which the process is replaced, so that one bad input affects only itself.
CELERY_TASK_SOFT_TIME_LIMIT, CELERY_TASK_TIME_LIMIT = 300, 330
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 2 * 1024**2
#: Tasks that take hours; each question or page in them has its own limits.
LONG = {"soft_time_limit": 4 * 3600, "time_limit": 4 * 3600 + 30}
LONG_TASKS = [f"evaluation.tasks.{name}" for name in ("ask_run", "replay", "grade_answers")]
CELERY_BEAT_SCHEDULE = {
    "preview": {"task": "evaluation.tasks.preview_releases", "schedule": 15.0},
    "grades": {"task": "evaluation.tasks.grade_answers", "schedule": 900.0},
    "recover": {"task": "retrieval.tasks.recover_runs", "schedule": 60.0},
    "classify": {
        "task": "retrieval.tasks.classify_chunks",
        "schedule": 15.0,
        "options": {"expires": 15},
    },
    "abandoned": {"task": "chat.tasks.end_abandoned", "schedule": 60.0, "options": {"expires": 60}},
    "calls": {"task": "chat.tasks.forget_calls", "schedule": 86_400.0},
    # Expires when no worker starts it in time: the next one does the same.
    "go_live": {"task": "taxonomy.tasks.publish_due", "schedule": 15.0, "options": {"expires": 15}},
    "sessions": {"task": "zol.celery.clear_sessions", "schedule": 3600.0},
}
CELERY_BEAT_SCHEDULE_FILENAME = str(STATE_DIR / "celerybeat-schedule")
#: Live answers never wait behind ingestion or evaluation: each has its own queue and worker.
CELERY_TASK_ROUTES = {
    # Short, and published keywords should not wait behind a thousand pages.
    "retrieval.tasks.classify_chunks": {"queue": "live"},
    "retrieval.tasks.*": {"queue": "ingest"},
    "evaluation.tasks.*": {"queue": "evaluation"},
}

# --- People ---
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "zol.access.roles.RolesBackend"]
# After failures a user name is blocked for that address only, so that strangers cannot lock staff
# out. `zol.access.sign_in` blocks an address that tries many names.
AXES_HANDLER = "zol.access.sign_in.SignInGuard"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_LOCKOUT_TEMPLATE = "admin/locked_out.html"
AXES_CLIENT_IP_CALLABLE = "zol.access.visitors.address_of"
AXES_ENABLE_ADMIN = False  # Its rows belong to no hospital: the audit log shows them to IT.
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False
LOGIN_URL = "admin:login"
# Seconds after the last request.
SESSION_ENGINE = "zol.access.sign_in"
SESSION_COOKIE_AGE = 60 * env.int("STAFF_IDLE_MINUTES", default=60)
SESSION_SAVE_EVERY_REQUEST = True
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")
]
EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)

# --- Language: the interface in 8 languages, the admin in Dutch and English ---
LANGUAGE_CODE = "nl"
LANGUAGES = Language.choices()
LOCALE_PATHS = [BASE_DIR / "zol" / "locale"]
TIME_ZONE = "Europe/Brussels"
USE_TZ = True

# --- Files ---
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = STATE_DIR / "static"
MEDIA_ROOT = STATE_DIR / "media"
#: Pages for the proxy to show while no web process answers.
AWAY_ROOT = STATE_DIR / "away"
#: Cache of models trained on the rows of a version; may be deleted.
LEARNED_ROOT: Path | None = STATE_DIR / "learned"
STORAGES = {
    "default": {
        "BACKEND": env.str(
            "MEDIA_URL_BACKEND", default="django.core.files.storage.FileSystemStorage"
        )
    },
    "staticfiles": {"BACKEND": "zol.staticfiles.HashedFiles"},
}
WHITENOISE_USE_FINDERS = DEBUG
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

# --- Security ---
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
HTTPS = env.bool("HTTPS", default=False)
# Probes use plain HTTP from the same machine.
SECURE_REDIRECT_EXEMPT = [r"^health/"]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
# Off by default: both affect other sites, and preload lasts for years.
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS and env.bool("HSTS_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = HTTPS and env.bool("HSTS_PRELOAD", default=False)
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        # The chat's pages contain their styles, to save a round trip.
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [SELF],
    }
}

# --- Models and embeddings: without a key the embedded engine answers ---
OPENAI = {
    "api_key": env.str("OPENAI_API_KEY", default=""),
    "base_url": env.str("OPENAI_BASE_URL", default=""),
}


def tier(name: str, model: str, temperature: float | None) -> dict[str, Any]:
    """Read the models of a tier at the first and the second endpoint."""

    def at(endpoint: str, model: str) -> dict[str, Any]:
        return {
            "model": env.str(f"{endpoint}_MODEL_{name}", model),
            #: Reasoning effort (minimal, low, medium, high); then no temperature is sent.
            "effort": env.str(f"{endpoint}_EFFORT_{name}", ""),
            "extra": env.json(f"{endpoint}_EXTRA_{name}", {}),
        }

    first = at("OPENAI", model)
    second = at("OPENAI_FALLBACK", first["model"])
    return {**first, "temperature": temperature, "at": {"secondary": second}}


#: Endpoints in order of preference; none without a key or a URL.
LLM: dict[str, Any] = {
    "endpoints": [
        {"name": name, "api_key": key, "base_url": url}
        for name, key, url in (
            ("primary", OPENAI["api_key"], OPENAI["base_url"]),
            (
                "secondary",
                env.str("OPENAI_FALLBACK_API_KEY", default=""),
                env.str("OPENAI_FALLBACK_BASE_URL", default=""),
            ),
        )
        if key or url
    ],
    "tiers": {
        "fast": tier("FAST", "gpt-4.1-nano", 0.0),
        "standard": tier("STANDARD", "gpt-4.1-mini", 0.0),
        "primary": tier("PRIMARY", "gpt-4.1", 0.2),
        "escalation": tier("ESCALATION", "gpt-5.2", None),
        # Optional layers, off unless configured.
        "judge": {"model": env.str("JUDGE_MODEL", ""), "temperature": 0.0},
        "guardrail": {
            "model": env.str("GUARDRAIL_MODEL", "meta-llama/Llama-Guard-4-12B"),
            "temperature": 0.0,
            "endpoints": [
                {"name": "guardrail", "api_key": env.str("GUARDRAIL_API_KEY", ""), "base_url": url}
                for url in (env.str("GUARDRAIL_URL", ""),)
                if url
            ],
        },
    },
}
#: Seconds that calls to models may take, and how many may be in flight (docs/models.md).
MODEL_CLASSIFY_SECONDS = env.float("MODEL_CLASSIFY_SECONDS", default=4.0)
MODEL_FIRST_WORD_SECONDS = env.float("MODEL_FIRST_WORD_SECONDS", default=6.0)
MODEL_STALL_SECONDS = env.float("MODEL_STALL_SECONDS", default=5.0)
MODEL_HEDGE_SECONDS = env.float("MODEL_HEDGE_SECONDS", default=2.5)
MODEL_VERIFY = env.bool("MODEL_VERIFY", default=True)
MODEL_VERIFY_SECONDS = env.float("MODEL_VERIFY_SECONDS", default=1.5)
MODEL_SECONDS = env.float("MODEL_SECONDS", default=20.0)
MODEL_CALLS = env.int("MODEL_CALLS", default=200)
EMBEDDING = {
    "provider": env.str("EMBEDDING_PROVIDER", default="e5"),
    "model": env.str("EMBEDDING_MODEL", default="text-embedding-3-large"),
    #: 0: the provider's own size.
    "dimensions": env.int("EMBEDDING_DIMENSIONS", default=0),
    "base_url": env.str("EMBEDDING_BASE_URL", default=""),
}

#: Tesseract's languages for scanned pages, such as nld+fra+eng; empty for no OCR.
OCR = env.str("OCR", default="")
if OCR:
    LONG_TASKS.append("retrieval.tasks.ingest_document")
CELERY_TASK_ANNOTATIONS = dict.fromkeys(LONG_TASKS, LONG)

#: A server with the common /rerank API; off without its URL.
RERANK = {
    "url": env.str("RERANK_URL", default=""),
    "model": env.str("RERANK_MODEL", default="BAAI/bge-reranker-v2-m3"),
    "api_key": env.str("RERANK_API_KEY", default=""),
    #: Time limit in seconds; after it, the order stays as it was.
    "seconds": env.float("RERANK_SECONDS", default=1.5),
}

REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "knox.auth.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PARSER_CLASSES": ["zol.access.parsers.TextParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
}
#: Its migrations would create a table that `ApiToken` replaces.
MIGRATION_MODULES = {"knox": None}
KNOX_TOKEN_MODEL = "zol.ApiToken"  # noqa: S105 (a model)
SPECTACULAR_SETTINGS = {
    "TITLE": "ZOL",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

LOG_LEVEL = env.str("LOG_LEVEL", default="INFO")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
}
