"""Documents name only what exists: links, files, environment variables, commands and targets."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        ROOT / "chat/README.md",
        ROOT / "lab/README.md",
    ]
)
#: These speak of what is gone, too.
HISTORY = {ROOT / "CHANGELOG.md"}
CURRENT = [each for each in DOCUMENTS if each not in HISTORY]
README = (ROOT / "README.md").read_text("utf-8")
SETTINGS = (ROOT / "zol/settings.py").read_text("utf-8")
named = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
current = pytest.mark.parametrize("document", CURRENT, ids=lambda path: str(path.relative_to(ROOT)))


def anchors(text: str) -> set[str]:
    """Return the anchors of headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    words = [re.sub(r"\]\([^)]*\)|[^\w\- ]", "", heading.lower()) for heading in headings]
    return {heading.replace(" ", "-") for heading in words}


@named
def test_links_lead_to_files_and_headings(document):
    text = document.read_text("utf-8")
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", text):
        path, _, anchor = "".join(target).partition("#")
        if re.match(r"https?:|/", path):
            continue
        file = (document.parent / path) if path else document
        if not file.exists() or (anchor and anchor not in anchors(file.read_text("utf-8"))):
            broken.append("".join(target))

    assert not broken


@current
def test_files_that_are_named_exist(document):
    said = re.findall(r"`((?:[\w.-]+/)+[\w.-]*)`", document.read_text("utf-8"))
    ours = [path for path in said if path.split("/")[0] in {each.name for each in ROOT.iterdir()}]
    known = [ROOT, ROOT / "zol/demo/pack", document.parent]

    assert not [path for path in ours if not any((folder / path).exists() for folder in known)]


@current
def test_commands_that_are_named_exist(document):
    text = document.read_text("utf-8")
    laboratory = {path.stem for path in (ROOT / "lab/commands").glob("*.py")}
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))

    assert set(re.findall(r"manage\.py ([a-z_]+)", text)) <= get_commands().keys()
    assert set(re.findall(r"-m lab ([a-z_]+)", text)) <= laboratory
    assert set(re.findall(r"`(?:\w+=\S+ )*make ([a-z-]+)`", text)) <= targets


def test_every_variable_is_in_the_guides():
    guides = "".join(
        (ROOT / f"docs/{name}.md").read_text("utf-8") for name in ("configuration", "models")
    )
    read = set(re.findall(r"env\.\w+\(\s*\"([A-Z_]+)\"", SETTINGS)) | {"OPENAI_API_KEY"}

    assert read <= set(re.findall(r"[A-Z][A-Z_]+[A-Z]", guides))


def test_every_command_is_in_the_readme():
    apps = {"zol", "taxonomy", "retrieval", "chat", "evaluation"}
    ours = [name for name, app in get_commands().items() if app in apps]

    assert not [name for name in ours if f"`{name}" not in README and f" {name}`" not in README]
