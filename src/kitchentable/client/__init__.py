"""A client of the HTTP API, with the rights of one seat.

>>> from kitchentable.client import read_link
>>> read_link("https://play.example/home/s/abc")
Link(base='https://play.example/home', kind='s', key='abc')
"""

from kitchentable.client.links import BadLink, Link, read_link
from kitchentable.client.table import Gone, Refusal, Table, Unreachable

__all__ = ["BadLink", "Gone", "Link", "Refusal", "Table", "Unreachable", "read_link"]
