"""Uploaded pictures: checked, turned upright, scaled, and saved again without metadata.

Decoding is bounded before it begins, by the bytes and by the pixels that the file claims, and takes
tens of milliseconds: call `read_picture` in a thread.
"""

from __future__ import annotations

import io
import struct
import threading
import zlib

from PIL import Image, ImageOps

from kitchentable.dice.errors import BadInput
from kitchentable.store import Picture, picture_id

#: Bytes of an uploaded file, and pixels of its picture.
LARGEST = 12_000_000
MOST_PIXELS = 40_000_000
#: The side of a portrait, and the longer side of a handout, in pixels.
PORTRAIT, HANDOUT = 384, 1600
#: A picture with more bytes is saved again with lower quality.
_LARGE = 500_000
_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
#: Errors of a decoder for a damaged or malicious file.
_DAMAGED = (OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, EOFError)
_BOMBS = (struct.error, zlib.error, OverflowError, MemoryError)
#: One picture is decoded at a time, because each may need a hundred megabytes.
_one_at_a_time = threading.Lock()


class BadPicture(BadInput):
    """The file is not a picture, or the picture is too large."""

    code = "picture/unreadable"


def read_picture(body: bytes, *, portrait: bool) -> Picture:
    """The picture in an uploaded file: a square portrait, or a handout in its own shape.

    The result is WebP with the pixels alone: no place, camera, colour profile or comment. Errors:
    BadPicture.
    """
    if len(body) > LARGEST:
        raise BadPicture(
            f"This file is larger than {LARGEST // 1_000_000} MB. Make the picture smaller."
        )
    with _one_at_a_time:
        try:
            upright = _decoded(body, PORTRAIT if portrait else HANDOUT)
        except Image.DecompressionBombError as error:
            raise BadPicture(
                "This picture has too many pixels. Send one of at most "
                f"{MOST_PIXELS // 1_000_000} million."
            ) from error
        except (*_DAMAGED, *_BOMBS) as error:
            raise BadPicture(
                "This file cannot be read as a picture. Send a PNG, JPEG, WebP or GIF."
            ) from error
        if portrait:
            side = min(PORTRAIT, *upright.size)
            upright = ImageOps.fit(upright, (side, side), centering=(0.5, 0.35))
        else:
            upright.thumbnail((HANDOUT, HANDOUT))
        return _written(upright)


def _decoded(body: bytes, side: int) -> Image.Image:
    """The first frame of a picture, upright, in plain colours."""
    with Image.open(io.BytesIO(body), formats=_FORMATS) as file:
        width, height = file.size
        if width * height > MOST_PIXELS or min(width, height) < 1:
            raise BadPicture(
                f"This picture has {width} x {height} pixels. Send one of at most "
                f"{MOST_PIXELS // 1_000_000} million."
            )
        # A JPEG of many times the size is decoded at a fraction of it.
        file.draft("RGB", (2 * side, 2 * side))
        turned = ImageOps.exif_transpose(file)
        clear = turned.has_transparency_data
        return turned.convert("RGBA" if clear else "RGB")


def _written(picture: Image.Image) -> Picture:
    """A picture as a file, from a copy that has nothing but pixels."""
    bare = Image.new(picture.mode, picture.size)
    bare.paste(picture)
    body = _as_webp(bare, 82)
    if len(body) > _LARGE:
        body = _as_webp(bare, 40)
    return Picture(picture_id(body), body)


def _as_webp(picture: Image.Image, quality: int) -> bytes:
    out = io.BytesIO()
    picture.save(out, "WEBP", quality=quality, method=4)
    return out.getvalue()
