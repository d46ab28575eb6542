"""JSON parser of the API."""

from __future__ import annotations

import json
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class TextParser(JSONParser):
    """JSON parser that refuses lone surrogates, which can be neither stored nor sent back."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        """Return the parsed data; raise `ParseError` on invalid JSON and on lone surrogates."""
        try:
            data = super().parse(*args, **kwargs)
        except RecursionError as error:
            raise ParseError("The JSON is nested too deeply.") from error
        try:
            json.dumps(data, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise ParseError("The text holds half of a character.") from error
        return data
