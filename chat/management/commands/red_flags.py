"""`manage.py red_flags`: write the red flags as a document for a clinician to sign."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext, override

from chat.models.names import EMERGENCIES, name_in
from chat.phrases import phrases_of
from chat.safety.emergencies.alarm import situations_of
from chat.safety.emergencies.phrases import DENIAL, rows_in_force
from chat.safety.emergencies.texts import desk_of, full_text
from taxonomy.publishing.live import live_snapshot
from taxonomy.publishing.snapshot import Snapshot
from zol.commands import chosen_hospital
from zol.languages import LANGUAGES
from zol.tenancy import serving


class Command(BaseCommand):
    help = "Print every red flag, grouped by situation, with the text that patients get."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--hospital", default="", help="slug; needed when several are loaded")
        parser.add_argument(
            "--language", default="", choices=[*LANGUAGES, ""], help="only this one"
        )
        parser.add_argument("--in", dest="written", default="en", choices=["en", "nl"],
                            help="the language of the headings")  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        hospital = chosen_hospital(options["hospital"])
        languages = [options["language"]] if options["language"] else list(LANGUAGES)
        with serving(hospital), override(options["written"]):
            for line in document(live_snapshot(), languages):
                self.stdout.write(line)


def document(snapshot: Snapshot, languages: list[str]) -> Iterator[str]:
    """Yield the lines of the document, as Markdown."""
    phrases = phrases_of(snapshot)
    by: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in rows_in_force(snapshot):
        group = "" if row["role"] == DENIAL else str(row["kind"])
        by[group, str(row["language"])].append(str(row["text"]))
    total = sum(len(found) for (kind, code), found in by.items() if kind and code in languages)
    # Not inside f-strings: makemessages does not look there.
    title, read = gettext("Red flags"), gettext("Read and approved")
    denials = gettext("Words that take a phrase back")
    yield f"# {title} – {snapshot.profile.name}"
    yield ""
    yield gettext(
        "Version %(version)s. %(total)d phrases. Each stops the conversation and shows the text of "
        "its situation at once. A * stands for any ending; up to two words may stand in between."
    ) % {"version": snapshot.version, "total": total}
    for situation in situations_of(snapshot):
        yield from ("", f"## {name_in(EMERGENCIES, situation.kind)} ({situation.kind})", "")
        for code in languages:
            yield f"- **{code}**: {' · '.join(by[situation.kind, code])}"
        first = languages[0]
        text = full_text(situation, phrases, desk_of(situation, snapshot, phrases, first), first)
        yield from ("", *(f"> {line}" for line in text.splitlines()))
    yield from ("", f"## {denials}", "")
    yield from (f"- **{code}**: {' · '.join(by['', code])}" for code in languages)
    yield from ("", f"{read}: ______________________  ____ / ____ / ______")
