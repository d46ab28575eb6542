"""The menu of the back office, in the order of the work rather than of the apps.

A model that is registered but not listed here has no place in the menu; it is reached from others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from zol.roles import CONVERSATIONS, GOLDEN, INCIDENTS, SAFETY, SEE_CONVERSATIONS, TEXTS


@dataclass(frozen=True, slots=True)
class Page:
    """A page that is no list of rows."""

    title: Any
    url_name: str
    permission: str


@dataclass(frozen=True, slots=True)
class MenuSection:
    key: str
    title: Any
    #: Models as `app.model`, and pages.
    entries: tuple[str | Page, ...]


SECTIONS = (
    MenuSection(
        "taxonomy",
        _("Taxonomy"),
        (
            "taxonomy.release",
            "taxonomy.version",
            "taxonomy.department",
            "taxonomy.doctor",
            "taxonomy.campus",
            "taxonomy.condition",
            "taxonomy.treatment",
            "taxonomy.examination",
            "taxonomy.specialty",
            "taxonomy.alias",
            "taxonomy.relation",
            "taxonomy.fact",
            "taxonomy.proposal",
            "taxonomy.merger",
            "taxonomy.snomedproposal",
            "taxonomy.snomedchange",
            "taxonomy.snomedrelease",
        ),
    ),
    MenuSection(
        "documents",
        _("Documents"),
        ("retrieval.document", "retrieval.chunk", "retrieval.ingestionrun"),
    ),
    MenuSection(
        "steering",
        _("Steering"),
        (
            Page(_("Affinity matrix"), "admin:retrieval_matrix", "retrieval.view_affinitycell"),
            Page(
                _("Retrieval settings"),
                "admin:retrieval_settings",
                "retrieval.view_retrievalsetting",
            ),
            "retrieval.contentcategory",
            "retrieval.categorykeyword",
            "retrieval.steeringroute",
            "retrieval.categoryfilter",
            "retrieval.entitykindboost",
            "retrieval.unitphrase",
        ),
    ),
    MenuSection(
        "texts",
        _("Chat texts"),
        (
            Page(_("Explain a question"), "admin:chat_explain", "chat.view_intentexample"),
            *TEXTS,
            "chat.intentexample",
            "chat.cue",
            "chat.rewritetemplate",
            "taxonomy.lexiconconcept",
            "taxonomy.complaintroute",
            "taxonomy.populationcue",
            "chat.promptsection",
            "chat.modelprice",
            "chat.modelbudget",
        ),
    ),
    MenuSection(
        "safety",
        _("Safety"),
        (
            Page(_("Situations"), "admin:chat_situations", "chat.view_redflagphrase"),
            *INCIDENTS,
            *SAFETY,
        ),
    ),
    MenuSection(
        "conversations",
        _("Conversations"),
        (Page(_("Figures"), "admin:figures", SEE_CONVERSATIONS), *CONVERSATIONS),
    ),
    MenuSection("quality", _("Quality"), (*GOLDEN, "evaluation.run")),
    MenuSection(
        "access",
        _("Hospital & access"),
        (
            "zol.hospital",
            "zol.hospitalhost",
            "zol.ownnetwork",
            "zol.widgetkey",
            "zol.membership",
            "auth.user",
            "zol.apitoken",
            "zol.auditentry",
            "zol.gonerow",
        ),
    ),
)
