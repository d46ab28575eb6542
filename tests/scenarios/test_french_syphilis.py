"""A French question about syphilis was routed to Urology: look-ups ran on the words as written.

Every language's question becomes one sentence in the hospital's language, and leads to one
department.
"""

import pytest

from tests.chat.question.readers import asked, names

QUESTIONS = (
    ("nl", "Wat is syfilis?"),
    ("fr", "C'est quoi la syphilis ?"),
    ("en", "What is syphilis?"),
    ("de", "Was ist Syphilis?"),
    ("it", "Che cos'è la sifilide?"),
    ("ro", "Ce este sifilisul?"),
    ("tr", "Frengi nedir?"),
    ("el", "Τι είναι η σύφιλη;"),
)


@pytest.mark.parametrize(("language", "question"), QUESTIONS)
def test_the_same_disease_is_asked_in_the_same_words_in_every_language(language, question):
    assert asked(question, page=language).query == asked(QUESTIONS[0][1]).query


@pytest.mark.parametrize(("language", "question"), QUESTIONS)
def test_no_language_leads_to_urology(language, question):
    found = names(asked(question, page=language))

    assert "Syfilis" in found
    assert "Urologie" not in found
