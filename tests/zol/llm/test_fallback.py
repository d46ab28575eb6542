import pytest

from tests.scripted import Line, scripted_endpoint
from zol.errors import CutShort, LLMTimeout, UnusableReply
from zol.llm import get_llm, is_configured
from zol.llm.base import Limits, Message, Meter
from zol.runtime.breaker import MOST_FAILURES

ASKED = [Message("user", "Where is Cardiology?")]


@pytest.fixture
def endpoints(settings):
    """Two endpoints, as a hospital would configure them."""
    with scripted_endpoint() as primary, scripted_endpoint() as secondary:
        settings.LLM = {
            "endpoints": [
                {"name": "primary", "api_key": "", "base_url": primary.url},
                {"name": "secondary", "api_key": "", "base_url": secondary.url},
            ],
            "tiers": {"primary": {"model": "tiny", "temperature": 0.2}},
        }
        yield primary, secondary


def test_without_a_key_no_model_is_configured(settings) -> None:
    assert not is_configured()


def test_an_answer_that_broke_off_is_never_continued_by_another_model(endpoints) -> None:
    primary, secondary = endpoints
    primary.play([Line("On the second floor.", cut_after=2)])
    secondary.play(["On the third floor."])
    heard = []

    with pytest.raises(CutShort):
        heard.extend(get_llm("primary").stream(ASKED))

    assert secondary.requests == []


def test_an_endpoint_that_keeps_failing_is_left_alone_for_a_while(endpoints) -> None:
    primary, secondary = endpoints
    primary.play(lambda request: Line(status=401))
    secondary.play(lambda request: Line("Here."))

    for _ in range(MOST_FAILURES + 3):
        assert get_llm("primary").reply(ASKED) == "Here."

    assert len(primary.requests) == MOST_FAILURES


@pytest.mark.parametrize(
    ("line", "seconds", "failure"),
    [
        pytest.param(Line("…", finish="content_filter"), 30.0, UnusableReply, id="an odd reply"),
        pytest.param(Line("Late.", delay=0.3), 0.05, LLMTimeout, id="a caller who hardly waits"),
    ],
)
def test_no_sign_that_an_endpoint_is_down_is(endpoints, line, seconds, failure) -> None:
    primary, _ = endpoints
    for each in endpoints:
        each.play(lambda request: line)

    for _ in range(MOST_FAILURES + 1):
        with pytest.raises(failure):
            get_llm("primary").reply(ASKED, limits=Limits(seconds=seconds))

    primary.play(lambda request: Line("Here."))
    meter = Meter()
    assert get_llm("primary").reply(ASKED, meter=meter) == "Here."
    assert [call.endpoint for call in meter.calls] == ["primary"]
