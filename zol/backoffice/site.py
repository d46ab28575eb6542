"""The admin site: access, languages and menu."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _

from zol.access.roles import (
    CONVERSATIONS,
    GOLDEN,
    INCIDENTS,
    SAFETY,
    SEE_CONVERSATIONS,
    TEXTS,
    may_enter,
    models_of,
)
from zol.backoffice.work import state_view, work_view


@dataclass(frozen=True, slots=True)
class MenuPage:
    """Menu entry of a page that is not a list of rows."""

    title: Any
    url_name: str
    permission: str


@dataclass(frozen=True, slots=True)
class MenuSection:
    key: str
    title: Any
    #: Models as `app.model`, and pages.
    entries: tuple[str | MenuPage, ...]


SECTIONS = (
    MenuSection("taxonomy", _("Taxonomy"), models_of(
        "taxonomy",
        "release version department doctor campus condition treatment examination specialty alias"
        " relation fact proposal merger snomedproposal snomedchange snomedrelease",
    )),
    MenuSection("documents", _("Documents"), models_of("retrieval", "document chunk ingestionrun")),
    MenuSection("steering", _("Steering"), (
        MenuPage(_("Affinity matrix"), "admin:retrieval_matrix", "retrieval.view_affinitycell"),
        MenuPage(
            _("Retrieval settings"), "admin:retrieval_settings", "retrieval.view_retrievalsetting"
        ),
        *models_of("retrieval", "contentcategory categorykeyword steeringroute categoryfilter"
                 " entitykindboost unitphrase"),
    )),
    MenuSection("texts", _("Chat texts"), (
        MenuPage(
            _("Explain a question"), "admin:chat_intentexample_explain", "chat.view_intentexample"
        ),
        *TEXTS,
        *models_of("chat", "intentexample cue rewritetemplate"),
        *models_of("taxonomy", "lexiconconcept complaintroute populationcue"),
        *models_of("chat", "promptsection modelprice modelbudget"),
    )),
    MenuSection("safety", _("Safety"), (
        MenuPage(_("Situations"), "admin:chat_redflagphrase_situations", "chat.view_redflagphrase"),
        *INCIDENTS, *SAFETY,
    )),
    MenuSection("conversations", _("Conversations"), (
        MenuPage(_("Figures"), "admin:figures", SEE_CONVERSATIONS), *CONVERSATIONS,
    )),
    MenuSection("quality", _("Quality"), (*GOLDEN, "evaluation.run")),
    MenuSection("access", _("Hospital & access"), (
        *models_of("zol", "hospital hospitalhost ownnetwork widgetkey membership"),
        "auth.user",
        *models_of("zol", "apitoken auditentry gonerow"),
    )),
)  # fmt: skip


View = Callable[..., HttpResponse]
#: Further pages that apps add: route, view and URL name.
pages: list[tuple[str, View, str]] = []
#: Functions that return faults for the staff of a hospital to fix, shown on every page.
faults: list[Callable[[str], Iterable[Any]]] = []

#: The languages of the back office; its users read one of them.
LANGUAGES = (("nl", "Nederlands"), ("en", "English"))


class StaffLogin(AdminAuthenticationForm):
    """Login form that admits only staff of the hospital of this host."""

    def confirm_login_allowed(self, user: Any) -> None:
        super().confirm_login_allowed(user)
        if not may_enter(user):
            raise ValidationError(
                _("This account has no role at this hospital. Ask your IT department for one."),
                code="no_role",
            )


class ByKind(AutocompleteJsonView):
    """Autocomplete that can be limited to entities of one kind."""

    def get_queryset(self) -> Any:
        rows = super().get_queryset()
        kind = self.request.GET.get("kind")
        return rows.filter(kind=kind) if kind else rows


class ZolAdminSite(AdminSite):
    """The back office of the hospital of the request's host."""

    login_form = StaffLogin
    index_template = "admin/home.html"
    empty_value_display = "–"

    def has_permission(self, request: HttpRequest) -> bool:
        return may_enter(request.user)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        hospital = getattr(request, "hospital", None)
        name = hospital.name if hospital else ""
        slug = hospital.slug if hospital else ""
        return super().each_context(request) | {
            "site_title": name,
            "site_header": name,
            "short_name": hospital.short_name if hospital else "",
            "admin_languages": LANGUAGES,
            "faults": [fault for found in faults for fault in found(slug)],
        }

    def get_urls(self) -> list[Any]:
        return [
            path("language/", in_our_languages(choose_language), name="language"),
            path("work/<str:task_id>/", self.admin_view(work_view), name="work"),
            path("work/<str:task_id>/state/", self.admin_view(state_view), name="work-state"),
            *(path(route, self.admin_view(view), name=name) for route, view, name in pages),
            *super().get_urls(),
        ]

    def admin_view(self, view: View, cacheable: bool = False) -> View:  # noqa: FBT001, FBT002 (Django's)
        return in_our_languages(super().admin_view(view, cacheable))

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return in_our_languages(super().login)(request, extra_context)

    def index(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        from zol.backoffice import home  # noqa: PLC0415  (its models have pages on this site)

        return super().index(request, home.shown(request) | (extra_context or {}))

    def autocomplete_view(self, request: HttpRequest) -> HttpResponse:
        return ByKind.as_view(admin_site=self)(request)

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return the menu sections; with an app label, Django's own list of that app."""
        if app_label is not None:
            return super().get_app_list(request, app_label)
        known = {
            f"{app['app_label']}.{model['object_name'].lower()}": model
            for app in self._build_app_dict(request).values()
            for model in app["models"]
        }
        return [
            {
                "name": section.title,
                "app_label": section.key,
                "app_url": models[0]["admin_url"],
                "has_module_perms": True,
                "models": models,
            }
            for section in SECTIONS
            if (models := list(_entries(request, section, known)))
        ]


def _entries(request: HttpRequest, section: MenuSection, known: dict[str, Any]) -> Iterator[Any]:
    for entry in section.entries:
        if isinstance(entry, MenuPage):
            if request.user.has_perm(entry.permission):
                yield _page_entry(entry)
        elif entry in known:
            yield known[entry]


def _page_entry(page: MenuPage) -> dict[str, Any]:
    return {
        "name": page.title,
        "object_name": page.url_name.rpartition(":")[2],
        "admin_url": reverse(page.url_name),
        "add_url": None,
        "view_only": True,
        "perms": {},
    }


def in_our_languages(view: View) -> View:
    """Answer in Dutch when that is the language of the page, else in English."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        offered = [code for code, _name in LANGUAGES]
        active = (translation.get_language() or "")[:2]
        language = active if active in offered else "en"
        with translation.override(language):
            request.LANGUAGE_CODE = language  # type: ignore[attr-defined]
            response = view(request, *args, **kwargs)
            if callable(getattr(response, "render", None)):
                response.render()
        return response

    return answer


def choose_language(request: HttpRequest) -> HttpResponse:
    """Store the language of the back office in a cookie, and return to the page."""
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = reverse("admin:index")
    response = HttpResponseRedirect(back)
    if (code := request.POST.get("language")) in dict(LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME, code, max_age=365 * 24 * 3600, samesite="Lax"
        )
    return response
