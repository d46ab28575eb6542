"""The page that the proxy shows while no web process answers: a file for each host name."""

from __future__ import annotations

import logging
from pathlib import Path

from django.template.loader import render_to_string

from chat.interface import interface_of
from taxonomy.publishing.live import profile_of
from zol.hosts import is_origin
from zol.models import HospitalHost

logger = logging.getLogger(__name__)


def write_away_pages(folder: Path) -> None:
    """Write the page of every host of this database into a folder, as HOST.html.

    It needs nothing else to be shown. A folder that cannot be written keeps nobody from serving.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for row in HospitalHost.objects.select_related("hospital"):
            if is_origin(f"https://{row.host}"):
                draft = folder / f".{row.host}"
                draft.write_text(_page_of(row), encoding="utf-8")
                draft.replace(folder / f"{row.host}.html")
    except OSError:
        logger.exception("The page for the proxy was not written")


def _page_of(row: HospitalHost) -> str:
    hospital = row.hospital
    own = hospital.default_language
    codes = [own, *(code for code in hospital.languages if code != own)]
    said = [(code, interface_of(profile_of(hospital), code)) for code in codes]
    return render_to_string("chat/away.html", {"hospital": hospital, "said": said})
