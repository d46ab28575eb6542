from __future__ import annotations

from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import Error, register

from zol.apps import check_setting


class ChatConfig(AppConfig):
    name = "chat"

    def ready(self) -> None:
        check_setting("RATE_LIMITS", rate_limits)
        register(languages_with_red_flags)
        import_module("taxonomy.publishing.live").slow_to_derive.extend((learned, curated))
        packs = import_module("taxonomy.packs")
        packs.registered.append(sheets)
        packs.more_of_profile.append(examples)


def learned(snapshot: Any) -> Any:
    """Load the vectors of a version's example questions before it goes live."""
    if not snapshot.rows_of("chat.intentexample"):
        return None
    return snapshot.derived(import_module("chat.engines.embedded.classify").code_reader_of)


def curated(snapshot: Any) -> Any:
    """Load the vectors of a version's curated answers before it goes live."""
    if not snapshot.rows_of("chat.curatedanswer"):
        return None
    return snapshot.derived(import_module("chat.sources.question_vectors").curated_of)


def sheets() -> Any:
    """Return this app's sheets of a pack; import them only then."""
    return import_module("chat.packs").SHEETS


def examples() -> Any:
    """Return this app's fields of hospital.yaml; import them only then."""
    return import_module("chat.packs").MORE


def rate_limits() -> Any:
    """Parse the rate limits; import their parser only then."""
    return import_module("chat.channels.rate_limit").limits_of(settings.RATE_LIMITS)


def languages_with_red_flags(**_: Any) -> list[Error]:
    """Report languages with too few red-flag phrases, and a missing emergency network."""
    rows = import_module("chat.safety.emergencies.phrases")
    few = [
        Error(
            f"“{language}” has {count} red-flag phrases; an emergency told in it could be missed.",
            hint="Write its rows in chat/defaults/red_flags.csv, or take it from zol/languages.py.",
            id="chat.language",
        )
        for language, count in rows.counts().items()
        if count < rows.FEWEST
    ]
    weights = import_module("chat.question.networks").WEIGHTS
    if not weights.is_file():
        few.append(Error(f"The network of emergencies is missing: {weights}.", id="chat.network"))
    return few
