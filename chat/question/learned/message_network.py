"""What trained layers read in a message: dangers, and the specialties that it leads to.

They read on from where the encoder of passages has half understood a message, every piece of the
whole of it. `chat/defaults/emergencies.md` is the card of what was learned, `lab/safety`
the training.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

import onnxruntime

from chat.safety.emergencies.alarm import Reading
from chat.safety.emergencies.situations import Danger
from retrieval.embedding import get_hearer

#: What was learned.
WEIGHTS = Path(__file__).parents[2] / "defaults" / "emergencies.onnx"
#: Messages that a process remembers the reading of: a turn asks more than once.
REMEMBERED = 2_000


@lru_cache(maxsize=REMEMBERED)
def read_message(text: str) -> Reading:
    """Read a message, in any language of the product."""
    # Encoders read what is shouted in capitals as names of companies.
    vector, states = get_hearer().half_read(text.lower() if text.isupper() else text)
    network, specialties = _learned()
    dangers, leads, goes_on = network.run(None, {"vector": vector[None], "states": states[None]})
    return Reading(
        dict(zip(Danger, dangers[0].tolist(), strict=True)),
        dict(zip(specialties, leads[0].tolist(), strict=True)),
        float(goes_on[0, 1]),
    )


@cache
def _learned() -> tuple[onnxruntime.InferenceSession, tuple[str, ...]]:
    options = onnxruntime.SessionOptions()
    # One thread: a process answers many questions at a time.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    network = onnxruntime.InferenceSession(
        str(WEIGHTS), options, providers=["CPUExecutionProvider"]
    )
    named = network.get_modelmeta().custom_metadata_map["specialties"]
    return network, tuple(named.split(","))
