"""A process that learns from the rows it is given, and tells what it read meanwhile.

It knows no setting: learning that asked for one would fail.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

from django.conf import settings

ROOT = Path(__file__).parents[3]
OWN = ("zol", "taxonomy", "retrieval", "chat", "evaluation")

before = set(sys.modules)
opened: set[str] = set()


def note(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open":
        opened.add(str(arguments[0]))


def learn(rows: dict[str, list[dict[str, str]]]) -> None:
    from chat.question.learned.sentence_vectors import meanings
    from chat.question.reader import _learn, lessons_of
    from taxonomy.snapshot import Profile, Snapshot
    from tests.taxonomy.vocabularies import vocabulary

    profile = Profile(slug="zt", name="Ziekenhuis Test", short_name="ZT", phone="089 00 00 00")
    named = {name: tuple(each) for name, each in rows.items()}
    _learn(lessons_of(Snapshot(1, 1, profile, vocabulary(), named)), meanings())


def product(path: Path) -> bool:
    return path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in OWN


if __name__ == "__main__":
    sys.addaudithook(note)
    settings.configure()
    learn(json.load(sys.stdin))
    loaded = {name: module for name, module in sys.modules.items() if name not in before}
    code = {
        Path(module.__file__) for module in loaded.values() if getattr(module, "__file__", None)
    }
    data = {path for name in opened if (path := Path(name)).suffix not in (".py", ".pyc")}
    packages = packages_distributions()
    names = {name.partition(".")[0] for name in loaded}
    told = {
        "files": sorted(str(path.relative_to(ROOT)) for path in code | data if product(path)),
        "packages": sorted({each for name in names for each in packages.get(name, ())}),
    }
    json.dump(told, sys.stdout)
