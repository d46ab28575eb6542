"""JSON as the API takes it."""

from __future__ import annotations

import json
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class TextParser(JSONParser):
    """JSON whose strings are text: half of a character can be neither stored nor sent back."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        """Return what was sent; raise `ParseError` on half of a character, or on no JSON."""
        try:
            data = super().parse(*args, **kwargs)
        except RecursionError as error:
            raise ParseError("The JSON is nested too deeply.") from error
        try:
            json.dumps(data, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise ParseError("The text holds half of a character.") from error
        return data
