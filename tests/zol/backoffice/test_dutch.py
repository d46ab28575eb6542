"""Every staff text has a Dutch translation, and the compiled catalogue is current."""

import ast
import gettext
import re
from pathlib import Path

from django.conf import settings

FOLDER = settings.BASE_DIR / "zol/locale/nl/LC_MESSAGES"
APPS = ("zol", "taxonomy", "retrieval", "chat", "evaluation")
#: What marks a text for translation, by the names it is imported under.
MARKS = {"_", "gettext", "gettext_lazy", "gettext_noop", "marked"}
_ENTRY = re.compile(r'(?:msgctxt ((?:".*"\n)+))?msgid ((?:".*"\n)+)msgstr ((?:".*"\n)+)')
_IN_TEMPLATE = re.compile(r'{%\s*translate\s+"([^"]+)"')


def text(quoted: str) -> str:
    return "".join(map(ast.literal_eval, quoted.splitlines()))


def compiled() -> dict[str, str]:
    with (FOLDER / "django.mo").open("rb") as file:
        return gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]


def marked_in(path: Path) -> set[str]:
    """Return the whole texts that a file marks for translation."""
    if path.suffix == ".html":
        # Django doubles the signs of a template's text.
        found = _IN_TEMPLATE.findall(path.read_text("utf-8"))
        return {each.replace("%", "%%") for each in found}
    calls = (
        each for each in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(each, ast.Call)
    )
    return {
        call.args[0].value
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id in MARKS and call.args
        and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)
    }  # fmt: skip


def test_the_catalogue_that_is_served_was_compiled_from_the_written_one():
    written = (FOLDER / "django.po").read_text("utf-8")
    known = compiled()

    said = {text(each[2]): text(each[3]) for each in _ENTRY.finditer(written) if not each[1]}
    assert {key: known.get(key) for key in said if key} == {k: v for k, v in said.items() if k}


def test_every_text_of_staff_has_its_dutch():
    known = compiled()
    files = [path for app in APPS for path in (settings.BASE_DIR / app).rglob("*.py")]
    files += (settings.BASE_DIR / "templates").rglob("*.html")

    texts = {
        said: path.name
        for path in files
        if "migrations" not in path.parts
        for said in marked_in(path)
    }
    assert {said: file for said, file in texts.items() if said not in known} == {}
