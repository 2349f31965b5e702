"""Files written completely or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kitchentable.store.errors import BadFile, StoreError


def create_private(path: Path) -> None:
    """Create an empty file that only its owner may read. Errors: FileExistsError, other OSErrors.

    >>> from tempfile import TemporaryDirectory
    >>> folder = TemporaryDirectory()
    >>> file = Path(folder.name, "new")
    >>> create_private(file)
    >>> oct(file.stat().st_mode)[-3:]
    '600'
    >>> create_private(file)
    Traceback (most recent call last):
    FileExistsError: ...
    >>> folder.cleanup()
    """
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def sync_folder(path: Path) -> None:
    """Wait until a folder's names are on disk, if the system supports that."""
    if os.name == "posix":
        _sync(path, os.O_RDONLY)


def _sync(path: Path, flags: int) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def appearing(path: Path) -> Iterator[Path]:
    """A private temporary file, renamed to `path` once it is complete and on disk. Errors:
    `BadFile` ``store/file-exists`` if `path` exists; `StoreError` ``store/cannot-write`` if the
    folder cannot be written to.
    """
    if path.exists():
        raise BadFile(
            f"The file {path} already exists and was not changed. Choose another name.",
            code="store/file-exists",
        )
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        partial.unlink(missing_ok=True)
        create_private(partial)
        try:
            yield partial
            _sync(partial, os.O_RDWR)
            partial.rename(path)
        finally:
            partial.unlink(missing_ok=True)
        sync_folder(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error


def require_file(path: Path) -> None:
    """Refuse a path without a file. Errors: BadFile."""
    if not path.is_file():
        raise BadFile(f"There is no file {path}.", code="store/no-such-file")


def cannot_write(path: Path, error: OSError) -> StoreError:
    """The error when the system refuses to write a file."""
    return StoreError(
        f"{path} cannot be written: {error.strerror or error}. Check the folder, its owner and the "
        "free space.",
        code="store/cannot-write",
    )
