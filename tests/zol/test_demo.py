"""The demonstration names the engine that answers."""

from zol.management.commands.demo import _engine
from zol.settings import LLM


def test_without_an_endpoint_the_embedded_engine_is_named(settings):
    settings.LLM = LLM | {"endpoints": []}

    assert _engine().startswith("embedded")


def test_a_model_is_named_with_its_address(settings):
    here = {"name": "primary", "api_key": "", "base_url": "http://127.0.0.1:11434/v1"}
    settings.LLM = LLM | {"endpoints": [here]}

    assert _engine() == f"{LLM['tiers']['primary']['model']} at http://127.0.0.1:11434/v1"
