"""What a passage is about follows from the words that staff listed, with the evidence."""

import pytest

from retrieval.categories import CategoryClassifier
from retrieval.models.steering import CategoryKeyword
from zol.records.versioned import default_rows

COLUMNS = ("category", "language", "keyword", "weight")
ROWS = (
    ("practical", "nl", "ingang", 2.0),
    ("practical", "nl", "bezoekuren", 3.0),
    ("practical", "en", "parking", 3.0),
    ("practical", "nl", "parking", 2.0),
    ("regulatory", "nl", "terugbetaling", 3.0),
    ("regulatory", "nl", "derde betaler", 3.0),
    ("regulatory", "de", "versicherung", 2.0),
    ("clinical_info", "nl", "reumatologie", 2.0),
    ("clinical_info", "nl", "behandeling", 2.0),
)
CLASSIFIER = CategoryClassifier([dict(zip(COLUMNS, row, strict=True)) for row in ROWS])


@pytest.mark.parametrize(
    ("text", "category"),
    [
        pytest.param("De ingang is vlak.", "practical", id="a whole word"),
        pytest.param("REÜMATOLOGIE", "clinical_info", id="capitals and accents"),
        pytest.param("Dat is de derde betaler.", "regulatory", id="a phrase"),
        pytest.param("de derde persoon betaler", "general", id="a phrase with a word between"),
        pytest.param("de rolstoelingang", "practical", id="the end of a compound"),
        pytest.param("het behandelingsplan", "clinical_info", id="the start, with a linking s"),
        pytest.param("der Versicherungsnachweis", "regulatory", id="a German compound"),
        pytest.param("Wij wensen u een fijne dag.", "general", id="no signal"),
        pytest.param("ingang en behandeling", "general", id="a tie"),
        pytest.param("", "general", id="nothing"),
    ],
)
def test_judges(text, category):
    assert CLASSIFIER.classify(text).category == category


def test_the_evidence_counts_the_title_more_and_a_word_of_two_languages_once():
    title = CLASSIFIER.classify("Over bezoekuren.", title="Terugbetaling")
    matched = CLASSIFIER.classify("ingang, ingang, behandeling").matched

    assert title.category == "regulatory"
    assert title.scores == {"regulatory": 9.0, "practical": 3.0}
    assert CLASSIFIER.classify("parking").scores == {"practical": 3.0}
    assert matched["practical"] == (("ingang", pytest.approx(3.386, abs=0.001)),)
    assert matched["clinical_info"] == (("behandeling", 2.0),)


@pytest.mark.parametrize(
    ("title", "text", "category"),
    [
        pytest.param(
            "Bij welke klacht naar wie?",
            "Eén klacht, één dienst: rugpijn en andere symptomen.",
            "clinical_info",
            id="what one suffers from",
        ),
        pytest.param(
            "Een klacht indienen",
            "Meld uw klacht bij de ombudspersoon, ook over pijn.",
            "legal_admin",
            id="what one is not content with",
        ),
    ],
)
def test_a_dutch_complaint_is_either_of_two_things(title, text, category):
    rows = [row.freeze() for row in default_rows(CategoryKeyword, 1)]

    assert CategoryClassifier(rows).classify(text, title=title).category == category
