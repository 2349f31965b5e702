"""Uploaded pictures: bounded before decoding, scaled, and nothing but pixels afterwards."""

import io
import struct
import zlib

import pytest
from PIL import Image

from kitchentable.app import pictures
from kitchentable.app.pictures import BadPicture, read_picture


def file_of(image: Image.Image, kind: str, **more) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **more)
    return out.getvalue()


def photo() -> bytes:
    """A photograph with a place, a comment and a colour profile, lying on its side."""
    image = Image.new("RGB", (900, 600), "#336699")
    image.paste("#ff0000", (0, 0, 900, 100))
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by a quarter
    exif[0x010F] = "Zwibelfisch Cameras"
    exif.get_ifd(0x8825)[2] = (52.0, 31.0, 12.0)
    more = {"exif": exif, "icc_profile": b"Zwibelfisch profile", "comment": b"Zwibelfisch comment"}
    return file_of(image, "JPEG", **more)


def test_a_photograph_keeps_its_pixels_alone():
    assert photo().count(b"Zwibelfisch") == 3
    for portrait, size in ((True, (384, 384)), (False, (600, 900))):
        made = read_picture(photo(), portrait=portrait)
        assert b"Zwibelfisch" not in made.body
        assert not {b"EXIF", b"ICCP", b"XMP "} & {made.body[at : at + 4] for at in range(60)}
        with Image.open(io.BytesIO(made.body)) as image:
            assert (image.format, image.size) == ("WEBP", size)
            assert not image.getexif()
            assert image.info.keys() <= {"loop", "background", "timestamp", "duration"}
    # It stands upright: what was above is at the right.
    with Image.open(io.BytesIO(read_picture(photo(), portrait=False).body)) as image:
        red, _, blue = image.getpixel((590, 450))
        assert (red > 200, blue < 90) == (True, True)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["PNG", "WEBP", "GIF"])
def test_other_formats_are_read_and_large_ones_scaled(kind):
    made = read_picture(file_of(Image.new("RGB", (3200, 400)), kind), portrait=False)
    with Image.open(io.BytesIO(made.body)) as image:
        assert image.size == (1600, 200)
    assert read_picture(file_of(Image.new("RGB", (3200, 400)), kind), portrait=False) == made


def claiming(width: int, height: int) -> bytes:
    """A small PNG that claims to be this large."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(b"\0" * 100)), (b"IEND", b"")]
    chunks = b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + chunks


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (claiming(40_000, 40_000), "too many pixels. Send one of at most 40 million"),
        (claiming(9_000, 9_000), "9000 x 9000 pixels"),
        (claiming(600, 600), "cannot be read"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "cannot be read"),
        (b"GIF89a", "cannot be read"),
        (b"", "cannot be read"),
        (photo()[:2_000], "cannot be read"),
        (file_of(Image.new("RGB", (9, 9)), "BMP"), "cannot be read"),
    ],
)
def test_what_is_no_picture_or_too_much_of_one_is_refused(body, why):
    with pytest.raises(BadPicture, match=why):
        read_picture(body, portrait=True)


def test_a_file_that_is_too_large_is_not_even_opened(monkeypatch):
    monkeypatch.setattr(pictures.Image, "open", None)
    with pytest.raises(BadPicture, match="larger than 12 MB"):
        read_picture(b"x" * 12_000_001, portrait=False)
