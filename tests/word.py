"""Word documents as Word writes them, from their parts."""

import io
import zipfile

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OTHERS = (
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"


def document(body: str, *, main: str = "document", namespace: str = _WORD, **parts: str) -> bytes:
    """Return a document of a body and other parts: `styles`, `numbering`, `footnotes` …"""
    overrides = {main: "document.main"} | {part: part for part in parts}
    types = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_TYPE}.{kind}+xml"/>'
        for name, kind in overrides.items()
    )
    names = f'xmlns:w="{namespace}" {_OTHERS}'
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", f"<Types>{types}</Types>")
        archive.writestr(
            f"word/{main}.xml", f"<w:document {names}><w:body>{body}</w:body></w:document>"
        )
        for name, content in parts.items():
            archive.writestr(f"word/{name}.xml", f"<w:{name} {names}>{content}</w:{name}>")
    return file.getvalue()


def run(text: str, properties: str = "") -> str:
    own = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{own}<w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*content: str, properties: str = "") -> str:
    """Return a paragraph of texts and elements."""
    own = f"<w:pPr>{properties}</w:pPr>" if properties else ""
    runs = (each if each.startswith("<") else run(each) for each in content)
    return f"<w:p>{own}{''.join(runs)}</w:p>"


def styled(style: str, *content: str) -> str:
    return paragraph(*content, properties=f'<w:pStyle w:val="{style}"/>')


def listed(identifier: int, *content: str, level: int = 0) -> str:
    """Return a paragraph that is an item of a list."""
    place = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{identifier}"/></w:numPr>'
    return paragraph(*content, properties=place)


def cell(*content: str, properties: str = "") -> str:
    """Return a cell of texts, each a paragraph, and elements."""
    blocks = (each if each.startswith("<") else paragraph(each) for each in content)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{''.join(blocks) or '<w:p/>'}</w:tc>"


def row(*cells: str, properties: str = "") -> str:
    inside = (each if each.startswith("<") else cell(each) for each in cells)
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(inside)}</w:tr>"


def table(*rows: str) -> str:
    return f"<w:tbl>{''.join(rows)}</w:tbl>"


def box(*content: str) -> str:
    """Return a run with a text box, written for newer and for older programs."""
    inside = f"<w:txbxContent>{''.join(content)}</w:txbxContent>"
    return (
        f'<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>{inside}'
        f"</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict>{inside}</w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )


def style(identifier: str, name: str, content: str = "", *, sort: str = "paragraph") -> str:
    return (
        f'<w:style w:type="{sort}" w:styleId="{identifier}"><w:name w:val="{name}"/>'
        f"{content}</w:style>"
    )


def level(at: int, form: str, text: str, content: str = "") -> str:
    """Return a level of the definition of a list."""
    return (
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>{content}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )
