"""What a page needs at once comes with it: its styles, and the names of all its scripts."""

import re
from pathlib import Path

from django.conf import settings

from chat.templatetags.interface import _imports, _style


def test_every_script_of_the_page_is_asked_for_at_once():
    folder = Path(settings.BASE_DIR) / "static" / "chat"
    scripts = {f"chat/{path.name}" for path in folder.glob("*.js")}

    assert {"chat/main.js", *_imports("chat/main.js")} == scripts - {"chat/mend.js"}


def test_what_is_for_staff_alone_brings_nothing_that_patients_do_not_load():
    assert set(_imports("chat/mend.js")) <= set(_imports("chat/main.js"))


def test_what_a_style_sheet_names_is_found_from_the_page_too():
    addresses = re.findall(r'url\("([^"]+)"\)', _style("chat/css/base.css"))

    assert addresses
    assert all(address.startswith("/static/chat/fonts/") for address in addresses)
