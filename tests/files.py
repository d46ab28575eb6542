"""Brochures as people have them: a real PDF, a real Word document."""

from __future__ import annotations

import io
import zipfile

from reportlab.pdfgen.canvas import Canvas

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType="application/'
    'vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Target="word/document.xml" Type="http://schemas.openxmlformats.org/'
    'officeDocument/2006/relationships/officeDocument"/></Relationships>'
)


def pdf(*lines: str, title: str = "Folder") -> bytes:
    """Return a PDF of one page with a heading and lines."""
    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.setFont("Helvetica-Bold", 18)
    canvas.drawString(50, 780, title)
    canvas.setFont("Helvetica", 10)
    for number, line in enumerate(lines):
        canvas.drawString(50, 740 - 18 * number, line)
    canvas.save()
    return file.getvalue()


def docx(*lines: str, title: str = "Folder") -> bytes:
    """Return a Word document with a heading and paragraphs."""
    heading = f'<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>{title}</w:t></w:r></w:p>'
    body = "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in lines)
    document = f'<w:document xmlns:w="{_WORD}"><w:body>{heading}{body}</w:body></w:document>'
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("_rels/.rels", _RELATIONS)
        archive.writestr("word/document.xml", document)
    return file.getvalue()
