"""Run llama.cpp's own server in this process, on this machine alone.

    python serve.py MODEL.gguf ALIAS

Prints its port when it listens. Ends when its standard input does, so that nobody who
is killed leaves it behind. Needs the package `xllamacpp` and no other.
"""

from __future__ import annotations

import os
import socket
import sys

import xllamacpp  # type: ignore[import-not-found]  # it has an environment of its own


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def main() -> None:
    model, alias = sys.argv[1:]
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.model_alias = {alias}
    params.hostnames, params.port = ["127.0.0.1"], _free_port()
    params.embedding = True
    params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    params.n_ctx = params.n_batch = params.n_ubatch = 512
    params.n_parallel = 1
    # More threads wait for each other by spinning, which a busy machine makes endless.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.offline, params.ui = True, False
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)  # noqa: T201 - for who started it
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
