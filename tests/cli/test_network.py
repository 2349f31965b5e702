"""The default addresses: this machine and its home network, never a public one."""

import errno
import socket

import pytest

from kitchentable.cli import network
from kitchentable.cli.network import CannotListen, home_address, is_home, listen


@pytest.mark.parametrize(
    ("address", "home"),
    [
        ("192.168.1.7", True),
        ("10.0.0.1", True),
        ("172.16.4.4", True),
        ("100.64.0.1", True),
        ("fd12::1", True),
        ("127.0.0.1", False),
        ("::1", False),
        ("0.0.0.0", False),
        ("169.254.3.3", False),
        ("8.8.8.8", False),
        ("2a00::1", False),
    ],
)
def test_home_is_private(address, home):
    assert is_home(address) is home


class Probe:
    """A socket with a given outgoing address, or without a route."""

    def __init__(self, leaves_by):
        self.leaves_by = leaves_by

    def __call__(self, family, kind):
        self.family = family
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def connect(self, address):
        if self.family not in self.leaves_by:
            raise OSError(errno.ENETUNREACH, "unreachable")

    def getsockname(self):
        return (self.leaves_by[self.family], 9)


@pytest.mark.parametrize(
    ("leaves_by", "found"),
    [
        ({socket.AF_INET: "192.168.1.7"}, "192.168.1.7"),
        ({socket.AF_INET: "8.8.8.8"}, None),
        ({socket.AF_INET: "8.8.8.8", socket.AF_INET6: "fd12::1"}, "fd12::1"),
        ({}, None),
    ],
)
def test_the_home_address_is_the_one_by_which_one_leaves(monkeypatch, leaves_by, found):
    monkeypatch.setattr(network.socket, "socket", Probe(leaves_by))
    assert home_address() == found


def test_a_taken_port_gets_a_sentence_and_leaves_nothing_open():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen, match=rf"Port {port} is in use.*such as {port + 1}\."):
            listen(["127.0.0.1"], port)


@pytest.mark.parametrize(
    ("host", "sentence"),
    [
        ("192.0.2.77", "is not an address of this machine"),
        ("no such host", "is not a known address"),
        ("..", "is not a known address"),
    ],
)
def test_an_address_that_is_not_ours_gets_a_sentence(host, sentence):
    with pytest.raises(CannotListen, match=sentence):
        listen(["127.0.0.1", host], 0)


def test_two_addresses_share_the_port():
    sockets = listen(["127.0.0.1", "127.0.0.2"], 0)
    assert len({one.getsockname()[1] for one in sockets}) == 1
    for one in sockets:
        one.close()
