"""Every PDF and Word document that staff uploaded failed, and its row could not be removed."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from chat import services as chat
from chat.channels import sessions
from retrieval import services
from retrieval.models import Document, IngestionItem
from tests.files import docx, pdf
from tests.taxonomy.releases import author

pytestmark = pytest.mark.django_db
QUESTION = "Waar kan ik een bril passen na de behandeling met prismaglazen?"
SENTENCE = (
    "Na de behandeling met prismaglazen kan je een bril passen in lokaal 4.12 bij de opticien."
)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        pytest.param("prisma.pdf", pdf(SENTENCE, title="Prismaglazen"), id="PDF"),
        pytest.param("prisma.docx", docx(SENTENCE, title="Prismaglazen"), id="Word"),
    ],
)
def test_a_question_is_answered_from_the_brochure_that_staff_uploaded(mini, client, name, data):
    client.defaults["HTTP_HOST"] = "azm-mini.localhost"
    client.force_login(author(mini))
    values = {
        "file": SimpleUploadedFile(name, data), "title": "Prismaglazen", "category": "Brochure",
        "language": "nl", "authority": "1.0", "url_tier": "1",
    }  # fmt: skip

    client.post("/admin/retrieval/document/add/", values)
    document = Document.objects.get(path=f"uploads/{name}")
    for item in IngestionItem.objects.filter(document=document):
        services.ingest_item(item.pk)
    message = chat.answer(sessions.start(mini, "nl"), QUESTION)

    assert "4.12" in message.answer
    assert document.pk in {citation["document_id"] for citation in message.citations}
