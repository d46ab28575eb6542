"""Roles and their permissions at the hospital being served, in one table.

Permissions are not stored with a user. They follow from the memberships at the hospital of the
request, so that a role never applies to another hospital.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from django.contrib.auth.backends import ModelBackend

from zol.models import Membership, Role
from zol.tenancy import current_hospital_id

READ = ("view",)
CHANGE = ("view", "change")
PREPARE = ("view", "add", "change")
WRITE = ("view", "add", "change", "delete")


def models_of(app: str, names: str) -> tuple[str, ...]:
    return tuple(f"{app}.{name}" for name in names.split())


TAXONOMY = models_of(
    "taxonomy",
    "campus department doctor condition treatment examination specialty alias relation fact",
)
#: The common table of all entities is read in choosers, never edited.
CHOSEN_FROM = ("taxonomy.entity",)
#: Staff decide on proposals; loaded releases and their changes are read-only.
PROPOSALS = ("taxonomy.proposal", "taxonomy.snomedproposal")
SNOMED = ("taxonomy.snomedrelease", "taxonomy.snomedchange")
MERGERS = ("taxonomy.merger",)
VERSIONS = ("taxonomy.version",)
WORDS = (
    *models_of("taxonomy", "lexiconconcept complaintroute populationcue"),
    *models_of("chat", "intentexample cue rewritetemplate"),
)
DOCUMENTS = ("retrieval.document", "retrieval.chunk")
INGESTION = ("retrieval.ingestionrun", "retrieval.ingestionitem")
SUBJECTS = ("retrieval.contentcategory", "retrieval.categorykeyword", "retrieval.affinitycell")
SEARCH = models_of(
    "retrieval", "steeringroute categoryfilter entitykindboost unitphrase retrievalsetting"
)
TEXTS = ("chat.curatedanswer", "chat.passagetranslation", "chat.fixedtext", "chat.countryline")
PROMPTS = ("chat.promptsection", "chat.modelprice", "chat.modelbudget")
SAFETY = models_of("chat", "redflagphrase emergencysituation advicephrase injectionpattern")
#: Interventions take effect at once, without a release.
INCIDENTS = ("chat.intervention",)
CONVERSATIONS = (
    *models_of("evaluation", "workitem livegrade"),
    *models_of("chat", "message conversation feedback cachedanswer"),
    *models_of("retrieval", "categorymismatch"),
    *models_of("chat", "modelcall"),
)
#: Work items contain questions of patients.
WORK = CONVERSATIONS[:1]
GOLDEN = ("evaluation.goldenquestion",)
RUNS = ("evaluation.run", "evaluation.result")
HOSPITAL = ("zol.hospital",)
#: Users make and withdraw their own keys; users with the permission to change see all.
KEYS = ("zol.apitoken",)
OWN_KEYS = frozenset({"zol.view_apitoken", "zol.add_apitoken", "zol.delete_apitoken"})
ACCESS = ("zol.hospitalhost", "zol.ownnetwork", "zol.widgetkey", "zol.membership", "auth.user")

RELEASES = ("taxonomy.release", "evaluation.preview")
AUDIT = ("zol.auditentry",)
#: Rows that an upgrade removed.
GONE = ("zol.gonerow",)

#: Permission to approve or reject releases of colleagues.
APPROVE = "taxonomy.approve"
#: Permission to publish approved releases and to activate earlier versions.
PUBLISH = "taxonomy.publish"
#: Permission to read questions of patients and their answers.
SEE_CONVERSATIONS = "chat.view_message"
#: Permission to erase conversations at the request of a patient.
ERASE = "chat.erase_conversation"
#: Permission to delete cached answers.
PURGE = "chat.delete_cachedanswer"

CONTENT = (
    TAXONOMY + CHOSEN_FROM + PROPOSALS + SNOMED + MERGERS + VERSIONS + RELEASES + DOCUMENTS
    + INGESTION + WORDS + TEXTS
)  # fmt: skip
STEERING = SUBJECTS + SEARCH + PROMPTS + SAFETY


def allowed(actions: Iterable[str], models: Iterable[str]) -> frozenset[str]:
    """Return Django's permissions for some actions on models."""
    verbs = tuple(actions)
    return frozenset(
        f"{app}.{verb}_{model}"
        for app, _, model in (name.partition(".") for name in models)
        for verb in verbs
    )


CURATOR = (
    allowed(WRITE, TAXONOMY + DOCUMENTS + WORDS + SUBJECTS + TEXTS)
    | allowed(PREPARE, RELEASES)
    | allowed(CHANGE, PROPOSALS + GONE)
    | allowed(READ, CHOSEN_FROM + SNOMED + MERGERS + VERSIONS + INGESTION + STEERING)
    | allowed(READ, GOLDEN + HOSPITAL)
)  # fmt: skip

PERMISSIONS: dict[str, frozenset[str]] = {
    Role.CURATOR: CURATOR | OWN_KEYS,
    Role.OPERATOR: CURATOR
    | allowed(WRITE, (*SEARCH, *PROMPTS, *INCIDENTS, "chat.injectionpattern"))
    | allowed(CHANGE, HOSPITAL + WORK)
    | allowed(READ, CONVERSATIONS + GOLDEN + RUNS + AUDIT)
    | {APPROVE, PUBLISH, PURGE, ERASE}
    | OWN_KEYS,
    Role.QUALITY: allowed(WRITE, GOLDEN + SAFETY + INCIDENTS)
    | allowed(CHANGE, WORK + GONE)
    | allowed(PREPARE, RELEASES + RUNS[:1])
    | allowed(READ, AUDIT)
    | allowed(READ, CONTENT + STEERING + CONVERSATIONS + RUNS + HOSPITAL)
    | {PURGE, ERASE}
    | OWN_KEYS,
    Role.ANALYST: allowed(READ, CONTENT + STEERING + CONVERSATIONS + GOLDEN + RUNS + HOSPITAL)
    | OWN_KEYS,
    Role.IT: allowed(WRITE, ACCESS + KEYS)
    | allowed(CHANGE, (*HOSPITAL, *GONE, "retrieval.retrievalsetting"))
    | allowed(PREPARE, RELEASES)
    | allowed(READ, SNOMED + VERSIONS + DOCUMENTS + INGESTION + AUDIT),
}


@cache
def granted(roles: frozenset[str]) -> frozenset[str]:
    """Return the permissions of roles together; cached, as a page asks hundreds of times."""
    return frozenset().union(*(PERMISSIONS[role] for role in roles))


class RolesBackend(ModelBackend):
    """Authenticates users, with permissions by their roles at the hospital being served."""

    def get_user_permissions(self, user_obj: Any, obj: Any = None) -> set[str]:
        return set()

    def get_group_permissions(self, user_obj: Any, obj: Any = None) -> set[str]:
        return set()

    def get_all_permissions(self, user_obj: Any, obj: Any = None) -> Any:
        if not user_obj.is_active or user_obj.is_anonymous or obj is not None:
            return set()
        if user_obj.is_superuser:
            return set().union(*PERMISSIONS.values())
        return granted(roles_of(user_obj))

    def has_module_perms(self, user_obj: Any, app_label: str) -> bool:
        return any(
            name.partition(".")[0] == app_label for name in self.get_all_permissions(user_obj)
        )


def roles_of(user: Any) -> frozenset[str]:
    """Return a user's roles at the hospital being served; cached per request."""
    hospital_id = current_hospital_id()
    known: dict[int, frozenset[str]] = user.__dict__.setdefault("_roles_by_hospital", {})
    if hospital_id not in known:
        rows = Membership.objects.filter(user_id=user.pk, hospital_id=hospital_id)
        known[hospital_id] = frozenset(rows.values_list("role", flat=True))
    return known[hospital_id]


def may_enter(user: Any) -> bool:
    """Return whether a user may enter the back office of the hospital being served."""
    if not (user.is_active and user.is_staff):
        return False
    return bool(user.is_superuser or roles_of(user))
