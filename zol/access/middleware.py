"""Middleware that sets the hospital, the language and the acting user of a request."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils import translation

from zol.access.hosts import hospital_at, hospital_of_widget
from zol.models import Hospital
from zol.postgres.pool import AWAY, RETRY_AFTER, stores_nothing
from zol.tenancy import acting, serving
from zol.text import storable

logger = logging.getLogger(__name__)
Respond = Callable[[HttpRequest], HttpResponse]

#: Paths that are served on any host: load balancers and monitors use an IP address; static files
#: are public.
HOSTLESS = ("/health/", "/metrics", "/static/", "/widget.js")


class HospitalMiddleware:
    """Serve the hospital of the request's host, or of its widget key; an unknown one is a 404."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith(HOSTLESS):
            return self.get_response(request)
        try:
            hospital = self.hospital(request)
        except AWAY as error:
            return error_response(request, error, 503, "unavailable")
        if hospital is None:
            return not_found(request)
        request.hospital = hospital  # type: ignore[attr-defined]
        # Pages may echo parameters, but no control characters.
        asked = request.GET.copy()
        for name, values in request.GET.lists():
            asked.setlist(name, [*map(storable, values)])
        request.GET = asked  # type: ignore[assignment]
        with serving(hospital):
            response = self.get_response(request)
            if hasattr(response, "render") and callable(response.render):
                response.render()
            return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Explain failures of the database or the disk; other errors are bugs."""
        return failure_response(request, error)

    @staticmethod
    def hospital(request: HttpRequest) -> Hospital | None:
        if key := request.GET.get("widget", ""):
            return hospital_of_widget(key)
        return hospital_at(request.get_host())


def not_found(request: HttpRequest) -> HttpResponse:
    from django.views.defaults import page_not_found  # noqa: PLC0415  (needs the URL configuration)

    return page_not_found(request, Http404("No hospital at this address"))


def failure_response(request: HttpRequest, error: BaseException) -> HttpResponse | None:
    """Return the response for a failure of the database or the disk; None for other errors."""
    if stores_nothing(error):
        return error_response(request, error, 507, "not_stored")
    return error_response(request, error, 503, "unavailable") if isinstance(error, AWAY) else None


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the response for an error that no view or middleware has handled."""
    error = sys.exc_info()[1] or Exception()
    return failure_response(request, error) or error_response(request, error, 500, "error")


def error_response(
    request: HttpRequest, error: BaseException, status: int, code: str
) -> HttpResponse:
    """Return an error page, or JSON below `/api/`; it needs no database."""
    logger.error("%s: %s", code, error)
    headers = {"Retry-After": str(RETRY_AFTER)}
    if request.path.startswith("/api/"):
        words = render_to_string(f"{status}.txt", request=request)
        body = {"code": code, "message": words, "seconds": RETRY_AFTER}
        return JsonResponse(body, status=status, headers=headers)
    page = render_to_string(f"{status}.html", request=request)
    return HttpResponse(page, status=status, headers=headers)


class PageLanguageMiddleware:
    """Show pages in the language asked for: `?language=`, then the cookie, then the browser's.

    In the back office `?language=` is the language of a row and prefills a form.
    """

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = self.language(request)
        request.LANGUAGE_CODE = language
        with translation.override(language):
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response

    @staticmethod
    def language(request: HttpRequest) -> str:
        hospital = getattr(request, "hospital", None)
        offered = hospital.languages if hospital else [code for code, _ in settings.LANGUAGES]
        named = "" if request.path.startswith("/admin/") else request.GET.get("language")
        asked = named or request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
        if asked in offered:
            return str(asked)
        if hospital and not request.headers.get("accept-language"):
            return str(hospital.default_language)
        browser = translation.get_language_from_request(request)[:2]
        fallback = hospital.default_language if hospital else settings.LANGUAGE_CODE
        return browser if browser in offered else str(fallback)


class ActingMiddleware:
    """Set the acting user; without a session cookie there is none, and no query."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return self.get_response(request)
        with acting(getattr(request, "user", None)):
            return self.get_response(request)
