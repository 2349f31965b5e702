"""`serve`, as a host starts it: links that lead in, a clean end, a port that is taken."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

PROGRAM = Path(sys.executable).with_name("kitchentable")
SERVE = ("serve", "--host", "127.0.0.1", "--port", "0")


@contextmanager
def program(folder, *words):
    """A server being served by the program itself; gives the process and what it printed first."""
    server = subprocess.Popen(
        [PROGRAM, *SERVE, *words],
        cwd=folder,
        env=os.environ | home(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        yield server, server.stdout.readline()
    finally:
        server.kill()
        server.communicate()


@pytest.fixture
def served(fork_server, tmp_path):
    """Begins `serve` with some words, in a process that is ready; as `program` otherwise."""

    @contextmanager
    def served(*words):
        call = "tests.fork_parent:kitchentable"
        with fork_server.begun(call, *SERVE, *words, folder=tmp_path, **home(tmp_path)) as server:
            yield server, server.out.readline()

    return served


def home(folder):
    """The environment variables for the database and for the output."""
    return {"KITCHENTABLE_DATA": str(folder / "table.db"), "NO_COLOR": "1"}


def get(url):
    """The status and the text behind an address; redirections are followed, cookies kept."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    try:
        with opener.open(url, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read().decode()


def sign_in(link):
    """Send the form behind the host's link, as a browser does without scripts."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with opener.open(link, timeout=60) as answer:
        page = answer.read().decode()
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))
    request = urllib.request.Request(
        link.rpartition("/")[0],
        urllib.parse.urlencode(fields).encode(),
        {"Origin": link[: link.index("/", 8)]},
    )
    with opener.open(request, timeout=60) as answer:
        return answer.status, answer.read().decode()


@pytest.mark.slow
def test_the_links_lead_in_and_ctrl_c_ends_cleanly(served, tmp_path):
    with program(tmp_path, "--example", "--json") as (server, line):
        told = json.loads(line)
        campaign = next(one for one in told["campaigns"] if one["title"] == "The Salt Road")
        status, page = get(told["host"])
        assert status == 200
        assert "Sign in as the host" in page
        assert "The Salt Road" not in page
        status, page = sign_in(told["host"])
        assert status == 200
        assert "The Salt Road" in page
        assert get(told["host"])[0] in {401, 403, 404, 410}, "the host's link opens once"
        assert [(seat["name"], seat["role"]) for seat in campaign["seats"]] == [
            ("GM", "gm"),
            ("Mara", "player"),
            ("Jonas", "player"),
            ("Lene", "player"),
        ]
        for seat in campaign["seats"]:
            status, page = get(seat["link"])
            assert status == 200
            assert "Brother Ivo" in page
        status, page = get(campaign["join"])
        assert status == 200
        assert "The Salt Road" in page
        # A page with an open stream does not hold the end up.
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        opener.open(campaign["seats"][1]["link"], timeout=60).close()
        feed = opener.open(f"{told['url']}/t/{campaign['campaign']}/feed", timeout=60)
        feed.readline()
        server.send_signal(signal.SIGINT)
        with feed:
            feed.read()  # an error if the stream was cut off, after the time of grace
        assert server.wait(60) == 0
        assert server.stderr is not None
        assert list(filter(None, server.stderr.read().splitlines())) == [
            "An invalid key came from 127.0.0.1.",
            "The server has stopped.",
        ]
    with served("--example", "--json") as (_, line):
        again = json.loads(line)
        assert len(again["campaigns"]) == len(told["campaigns"]), "the example is there once"
        for seat in campaign["seats"]:
            old = seat["link"].removeprefix(told["url"])
            assert get(again["url"] + old)[0] == 200, "a link outlives the server"


def test_it_ends_on_request_too_and_tells_people_one_link(served, tmp_path):
    with served("--example", "toast", "--qr", "Mara") as (server, _):
        told = ""
        while "Ctrl-C" not in told:
            told += server.out.readline()
        links = re.findall(r"\bhttp://\S+/\S+", told)
        assert len(links) == 1, "one link is enough"
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/host/[\w-]{32}", links[0])
        assert "Only this machine can open these links." in told
        assert "█" not in told, "no phone could use a QR code of them"
        for _ in range(500):
            copies = list((tmp_path / "backups").glob("table.*.auto.db"))
            if copies:
                break
            time.sleep(0.02)
        assert len(copies) == 1, "a copy is made when the server is opened"
        server.send(signal.SIGTERM)
        assert server.wait(10) == 0, server.err.read()


def test_a_taken_port_is_told_in_a_sentence(served, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for words in (("--port", str(port)), ("--port", "0", "--metrics", str(port))):
            with served(*words) as (server, line):
                assert (line, server.wait(30)) == ("", 2)
                assert server.err.read().startswith(f"Port {port} is in use")
    assert not list(tmp_path.iterdir())


def test_below_a_sub_path_and_another_address(served):
    words = ["--root-path", "toast/", "--behind-proxy", "--public-url", "https://t.example/toast"]
    with served("--example", "toast", "--json", *words) as (_, line):
        told = json.loads(line)
    assert told["url"] == "https://t.example/toast"
    assert told["host"].startswith("https://t.example/toast/host/")


def test_behind_a_proxy_links_name_the_address_that_it_was_asked_at(served):
    with served("--example", "toast", "--json", "--behind-proxy") as (_, line):
        told = json.loads(line)
        link = told["campaigns"][0]["seats"][0]["link"]
        jar = urllib.request.HTTPCookieProcessor()
        asked = {"X-Forwarded-Host": "t.example", "X-Forwarded-Proto": "http"}
        opener = urllib.request.build_opener(jar)
        opener.open(link, timeout=60).close()
        desk = f"{told['url']}/t/{told['campaigns'][0]['campaign']}/desk"
        with opener.open(urllib.request.Request(desk, headers=asked), timeout=60) as page:
            text = page.read().decode()
    assert 'value="http://t.example/join/' in text
    assert "QR code" in text


def test_links_can_be_had_again_while_it_is_open(served, run, tmp_path):
    with served("--example", "toast", "--json") as (_, line):
        told = json.loads(line)
        fresh = run("links", "salt", "--json").json
        assert get(told["host"])[0] != 200, "the former link to the host is over"
        assert get(fresh["host"])[0] == 200
        assert get(fresh["campaigns"][0]["seats"][0]["link"])[0] == 200


def test_links_name_a_server_that_answers(served, run):
    with served("--example", "toast", "--json") as (_, line):
        first = json.loads(line)["url"]
        with served("--json") as (second, other):
            assert run("links", "--json").json["host"].startswith(json.loads(other)["url"])
            second.send(signal.SIGINT)
            second.wait(20)
        assert run("links", "--json").json["host"].startswith(first)


@contextmanager
def two_ports():
    """A free port whose next one is free, too."""
    while True:
        with socket.create_server(("127.0.0.1", 0)) as one:
            port = one.getsockname()[1]
            with suppress(OSError), socket.create_server(("127.0.0.1", port + 1)):
                yield port
                return


def children_of(process):
    """The numbers of a process's workers."""
    said = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return {int(number) for number in said}


@pytest.mark.slow
def test_workers_share_an_address_and_are_begun_again(served, emptied):
    words = ("--database", emptied, "--workers", "2", "--example", "toast", "--json", "--log-json")
    with two_ports() as port:
        figures = [f"http://127.0.0.1:{port + worker}/metrics" for worker in range(2)]
    with served(*words, "--metrics", str(port)) as (server, line):
        told = json.loads(line)
        assert "postgres:" not in told["record"], "no password is printed"
        links = [seat["link"] for campaign in told["campaigns"] for seat in campaign["seats"]]
        assert {get(link)[0] for link in links} == {200}
        first = children_of(server.number)
        assert len(first) == 2
        assert get(f"{told['url']}/s/{'x' * 32}")[0] == 404
        logged = json.loads(next(one for one in server.err if "invalid key" in one))
        assert (logged["level"], logged["logger"]) == ("warning", "kitchentable.web")
        assert logged["process"] in first
        for text in (get(one)[1] for one in figures):
            assert re.search(r"^kitchentable_other_servers 1$", text, re.MULTILINE)
            assert re.search(r"^kitchentable_campaigns_in_memory [01]$", text, re.MULTILINE)
            assert text.count("# TYPE ") == text.count("# HELP ") > 9
        assert get(f"{told['url']}/health/live") == get(f"{told['url']}/health")
        assert get(f"{told['url']}/metrics")[0] == 404, "figures are for this machine alone"
        killed = min(first)
        os.kill(killed, signal.SIGKILL)
        assert {get(link)[0] for link in links} == {200}, "the other one answers"
        while len(children_of(server.number) - {killed}) < 2:
            time.sleep(0.01)
        workers = children_of(server.number)
        assert len(workers & first) == 1
        server.send(signal.SIGTERM)
        assert server.wait(20) == 0
        assert "has ended (-9) and is restarted." in server.err.read()
        assert not any(Path(f"/proc/{number}").exists() for number in workers)


def test_a_database_file_has_one_worker(served):
    with served("--workers", "2") as (server, _):
        assert server.wait(30) == 2
        assert "--database postgresql://" in server.err.read()
