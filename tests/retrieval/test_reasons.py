"""Why a file could not be read, in the language of who uploaded it."""

import ast
from pathlib import Path

import pytest
from django.utils import translation

import retrieval
from retrieval.admin.ingestion import REASONS, in_words
from zol.errors import OnlyImages, UnreadableDocument

RAISED = {UnreadableDocument.__name__, OnlyImages.__name__}


def said_by_the_readers():
    """Every sentence that reading a file may end with, with 7 in the place of what varies."""
    room = Path(retrieval.__file__).parent
    for path in sorted((*room.glob("ingestion/**/*.py"), *room.glob("reading/**/*.py"))):
        for node in ast.walk(ast.parse(path.read_text())):
            named = getattr(getattr(node, "func", None), "id", "")
            if isinstance(node, ast.Call) and named in RAISED and (said := text_of(node.args[0])):
                yield said
            if isinstance(node, ast.Dict):
                for key, value in zip(node.keys, node.values, strict=True):
                    if getattr(key, "value", "") == "failure" and (written := text_of(value)):
                        yield written


def text_of(node):
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value if isinstance(part, ast.Constant) else "7" for part in node.values
        )
    return ""


@pytest.mark.parametrize("reason", sorted(set(said_by_the_readers())))
def test_every_reason_of_a_reader_is_told_in_dutch(reason):
    with translation.override("nl"):
        assert in_words(reason) != reason


def test_the_readers_say_more_than_a_few_reasons():
    assert len(set(said_by_the_readers())) > len(REASONS) / 2


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("The PDF is damaged: No /Root object", "De pdf is beschadigd: No /Root object"),
        (
            "Read by OCR: compare the figures with the original. Pictures without text: page 3, 4. "
            "Words that OCR may have misread: p. 2 “8:30” (61 %).",
            "Dit is gelezen met OCR: vergelijk de cijfers met het origineel. Beelden zonder tekst: "
            "bladzijde 3, 4. Woorden die OCR misschien fout las: p. 2 “8:30” (61 %).",
        ),
        ("Something that nobody foresaw", "Something that nobody foresaw"),
        ("", ""),
    ],
)
def test_a_reason_keeps_what_it_names(reason, told):
    with translation.override("nl"):
        assert in_words(reason) == told
