"""Visitors read the approved translation of a passage beside the original."""

from chat import services
from chat.channels.pages import approved_texts
from chat.channels.views import shown
from chat.models import PassageTranslation
from chat.turn import Turn
from retrieval.models import Chunk
from taxonomy.publishing.live import live_snapshot

QUESTION = "Otopark ücreti ne kadar?"
TURKISH = "Sonrasında başlanan her saat için 1,50 euro"


def asked(question=QUESTION, language="tr"):
    return services.take_turn(Turn(question, language=language))


def test_a_translated_section_is_quoted_in_the_askers_language(mini):
    context = asked().context

    assert TURKISH in context.answer
    assert "Daarna betaalt u" not in context.answer
    assert "Bu metin çeviridir." in context.answer
    (citation,) = (each for each in context.citations if each.passage)
    assert "Daarna betaalt u 1,50 euro" in citation.passage
    assert TURKISH in citation.translated


def test_a_translation_is_not_shown_as_a_quotation(mini):
    asks = ((QUESTION, "tr"), ("Hoeveel kost parkeren?", "nl"))
    page, own = (shown(asked(*ask), approved_texts(ask[1])) for ask in asks)

    assert (page["quotes"], own["quotes"]) == (False, True)
    assert "betaalt u 1,50 euro" in str(own)


def test_a_changed_section_is_quoted_without_its_old_translation(mini):
    chunk = Chunk.objects.get(content__contains="1,50 euro")
    kept = chunk.content
    Chunk.objects.filter(pk=chunk.pk).update(content=kept.replace("1,50", "1,70"))
    try:
        answer = asked().context.answer
    finally:
        Chunk.objects.filter(pk=chunk.pk).update(content=kept)

    assert TURKISH not in answer
    assert "1,70" in answer


def test_releases_carry_translations(mini):
    (row,) = live_snapshot().rows_of(PassageTranslation.row_set())

    assert (row["language"], row["heading"]) == ("tr", "Otopark")
