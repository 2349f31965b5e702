"""Authentication: links, cookies and their flags, wrong keys, revocation."""

import asyncio
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from kitchentable.app.keys import KeyRing, digest
from kitchentable.store import KeyEnded
from kitchentable.web.errors import read_error
from kitchentable.web.site import Settings
from tests.web.visitors import visit

WRONG = "x" * 32


def cookie_of(answer, name):
    found = [one for one in answer.headers.get_list("set-cookie") if one.startswith(f"{name}=")]
    return found[0] if found else None


def test_a_seats_link_leaves_the_address_bar_and_a_cookie_for_this_table_alone(visited):
    key = visited.server.keys.issue("seat-link", visited.campaign, visited.seats["Mara"].id)
    mara = visited.stranger()
    answer = mara.get(f"/s/{key}")
    assert answer.status_code == 303
    assert answer.headers["location"] == visited.t
    cookie = cookie_of(answer, "kt_seat")
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert f"Path={visited.t};" in cookie
    assert "Secure" not in cookie
    assert key not in cookie
    assert mara.get(visited.t).status_code == 200


def test_cookies_are_secure_where_the_connection_is(visited):
    key = visited.server.keys.issue("seat-link", visited.campaign, visited.seats["Mara"].id)
    answer = visited.stranger("https://table.example").get(f"/s/{key}")
    assert "Secure" in cookie_of(answer, f"__Host-kt_seat-{visited.campaign}")
    page = visited.stranger("https://table.example").get("/help")
    assert "Secure" in cookie_of(page, "__Host-kt_browser")
    assert "HttpOnly" in cookie_of(page, "__Host-kt_browser")


def test_the_store_knows_no_key_that_opens_anything(visited):
    mara = visited.sits("Mara")
    assert len(mara.cookies.jar) > 0
    for cookie in mara.cookies.jar:
        tokens = visited.server.store.tokens(visited.campaign)
        assert all(cookie.value not in str(token) for token in tokens)


def test_the_hosts_link_opens_once(visited):
    key = visited.server.keys.issue("host-link")
    for preview in (visited.stranger(), visited.stranger()):
        assert preview.head(f"/host/{key}").status_code == 200
        assert "Sign in as the host" in preview.get(f"/host/{key}").text
    host = visited.stranger()
    assert key in host.get(f"/host/{key}").text
    answer = host.fill("/host", key=key)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "The Salt Road" in host.get("/").text or visited.campaign in host.get("/").text
    assert visited.stranger().get(f"/host/{key}").status_code == 404
    assert visited.stranger().fill("/host", key=key).status_code == 404
    assert visited.stranger().post("/host", data={"key": key}).status_code == 403


def test_a_key_opens_only_what_it_is_for(visited):
    keys, mara = visited.server.keys, visited.seats["Mara"].id
    host_link, join = keys.issue("host-link"), keys.issue("join", visited.campaign)
    seat_link = keys.issue("seat-link", visited.campaign, mara)
    for path in (f"/s/{host_link}", f"/s/{join}", f"/host/{seat_link}", f"/join/{seat_link}"):
        assert visited.stranger().get(path).status_code == 404, path
    stranger = visited.stranger()
    stranger.cookies.set("kt_seat", seat_link, path=visited.t)
    assert stranger.get(visited.t).status_code == 401


def test_a_seat_of_one_table_is_none_at_another(visited):
    opened = asyncio.run(visited.server.open_campaign("Another", "toast"))
    other = visited.server.keys.issue("seat", opened.campaign, opened.gm_seat)
    stranger = visited.stranger()
    stranger.cookies.set("kt_seat", other, path="/")
    assert stranger.get(visited.t).status_code == 401


@pytest.mark.parametrize("path", [f"/s/{WRONG}", f"/host/{WRONG}", f"/join/{WRONG}", "/s/short"])
def test_guessing_is_limited_and_the_wait_is_said(visited, clock, path):
    guesser = visited.stranger()
    answers = [guesser.get(path).status_code for _ in range(25)]
    assert answers[:20] == [404] * 20
    assert set(answers[20:]) == {429}
    refused = guesser.get(path)
    assert "Try again in 6 s" in refused.text
    assert refused.headers["retry-after"] == "6"
    clock.now += 6.1
    assert guesser.get(path).status_code == 404
    assert guesser.get(path).status_code == 429


def test_while_somebody_guesses_the_others_play_on(visited):
    guesser, mara = visited.stranger(), visited.sits("Mara")
    for _ in range(25):
        guesser.get(f"/s/{WRONG}")
    assert mara.get(visited.t).status_code == 200


def test_who_shares_an_address_with_a_guesser_still_gets_in(visited):
    guesser, keys = visited.stranger(), visited.server.keys
    for _ in range(25):
        guesser.get(f"/s/{WRONG}")
    assert guesser.get(f"/s/{WRONG}").status_code == 429
    visited.sits("Mara")
    visited.host()
    join = keys.issue("join", visited.campaign)
    assert visited.stranger().get(f"/join/{join}").status_code == 200


def test_wrong_keys_are_logged_without_the_key(visited, caplog):
    for _ in range(25):
        visited.stranger().get(f"/s/{WRONG}")
    told = [one.getMessage() for one in caplog.records]
    assert told == ["An invalid key came from testclient."] * 20


def test_wrong_cookies_and_tokens_count_as_guesses(visited):
    guesser = visited.stranger(authorization=f"Bearer {WRONG}")
    codes = [guesser.get(f"{visited.t}/api/v1/view").status_code for _ in range(22)]
    assert codes == [401] * 20 + [429] * 2


def test_the_address_behind_a_proxy_counts_only_where_the_proxy_is_trusted():
    with visit(Settings(trusted=("testclient", "*"))) as visited:
        for _ in range(25):
            visited.stranger(**{"x-forwarded-for": "203.0.113.7"}).get(f"/s/{WRONG}")
        other = visited.stranger(**{"x-forwarded-for": "203.0.113.8"})
        assert other.get(f"/s/{WRONG}").status_code == 404
    with visit() as visited:
        for number in range(25):
            visited.stranger(**{"x-forwarded-for": f"203.0.113.{number}"}).get(f"/s/{WRONG}")
        assert visited.stranger().get(f"/s/{WRONG}").status_code == 429


def test_somebody_joins_by_the_invitation_and_waits_for_the_gm(visited):
    key = visited.server.keys.issue("join", visited.campaign)
    ida = visited.stranger()
    door = ida.get(f"/join/{key}")
    assert door.status_code == 200
    assert "Captain Serk" not in door.text
    answer = ida.fill("/join", key=key, name="Ida", role="player")
    assert answer.status_code == 303
    assert ida.get(visited.t).headers["location"] == f"{visited.t}/waiting"
    waiting = ida.get(f"{visited.t}/waiting")
    assert "Please wait, Ida" in waiting.text
    assert ida.get(f"{visited.t}/journal").status_code == 403
    gm = visited.sits("GM")
    seat = visited.seats["Ida"].id
    assert gm.fill(f"{visited.t}/seats/{seat}/decide", verdict="approve").status_code == 303
    assert ida.get(f"{visited.t}/waiting/check").status_code == 303
    assert ida.get(visited.t).status_code == 200


def test_a_name_that_is_taken_keeps_what_was_typed(visited):
    key = visited.server.keys.issue("join", visited.campaign)
    answer = visited.stranger().fill("/join", key=key, name="mara", role="player")
    assert answer.status_code == 422
    assert 'value="mara"' in answer.text
    assert "Choose another name" in answer.text


def test_somebody_who_is_refused_is_told(visited):
    key = visited.server.keys.issue("join", visited.campaign)
    ida = visited.stranger()
    ida.fill("/join", key=key, name="Ida", role="spectator")
    seat = visited.seats["Ida"].id
    visited.sits("GM").fill(f"{visited.t}/seats/{seat}/decide", verdict="refuse")
    assert ida.get(f"{visited.t}/waiting").status_code == 403
    told = ida.script("GET", f"{visited.t}/waiting/check")
    assert "Not let in" in told.text


def test_asking_for_seats_is_limited(visited):
    key = visited.server.keys.issue("join", visited.campaign)
    stranger = visited.stranger()
    codes = [
        stranger.fill("/join", key=key, name=f"Guest {n}", role="player").status_code
        for n in range(14)
    ]
    assert codes.count(303) == 12
    assert codes[-2:] == [429, 429]


def test_knocking_twice_with_one_form_is_one_seat(visited):
    key = visited.server.keys.issue("join", visited.campaign)
    ida = visited.stranger()
    fields = {"key": key, "name": "Ida", "role": "player", "command": "once"}
    assert ida.fill("/join", **fields).status_code == 303
    assert ida.fill("/join", **fields).status_code == 303
    assert visited.kinds().count("seat-asked") == 4
    thief = visited.stranger()
    assert thief.fill("/join", **fields).status_code == 422


def test_an_ended_seat_is_let_go_at_once(visited):
    mara, gm = visited.sits("Mara"), visited.sits("GM")
    seat = visited.seats["Mara"].id
    gm.fill(f"{visited.t}/seats/{seat}/decide", verdict="revoke")
    shut = mara.get(visited.t)
    assert shut.status_code == 401
    assert "Captain Serk" not in shut.text
    assert mara.fill(f"{visited.t}/say", text="still here?").status_code == 401


def test_the_host_can_sit_down_from_any_page_of_a_table(visited):
    desk = f"{visited.t}/desk"
    shut = visited.host().get(desk)
    assert shut.status_code == 401
    assert f'href="{visited.t}">Sit down' in shut.text
    assert "No access</h1>" not in shut.text
    assert "Sit down" not in visited.stranger().get(desk).text


def test_a_seat_given_to_another_device_leaves_the_first(visited):
    mara, gm = visited.sits("Mara"), visited.sits("GM")
    seat = visited.seats["Mara"].id
    answer = gm.fill(f"{visited.t}/seats/{seat}/hand-over", command="once")
    assert answer.status_code == 200
    link = next(part for part in answer.text.split('"') if "/s/" in part)
    assert mara.get(visited.t).status_code == 401
    phone = visited.stranger()
    phone.get(link)
    assert phone.get(visited.t).status_code == 200
    again = gm.fill(f"{visited.t}/seats/{seat}/hand-over", command="once")
    assert again.status_code == 303
    assert phone.get(visited.t).status_code == 200


def test_the_gm_gives_the_own_seat_on_and_stays_at_the_desk(visited):
    gm = visited.sits("GM")
    answer = gm.fill(f"{visited.t}/seats/{visited.seats['GM'].id}/hand-over")
    assert answer.status_code == 200
    assert gm.get(f"{visited.t}/desk").status_code == 200


def test_the_hosts_device_sits_down_as_the_gm(visited):
    host = visited.host()
    answer = host.get(visited.t)
    assert answer.status_code == 303
    assert host.get(f"{visited.t}/desk").status_code == 200


def test_the_server_tells_a_stranger_nothing(visited):
    stranger = visited.stranger()
    for path in ("/", visited.t, f"{visited.t}/desk", f"{visited.t}/journal", "/new"):
        answer = stranger.get(path)
        assert answer.status_code == 401
        assert "The Salt Road" not in answer.text
        assert "Mara" not in answer.text
    assert stranger.get(f"{visited.t}/feed").status_code == 401
    assert stranger.get(f"{visited.t}/export").status_code == 401


def test_every_route_of_a_table_asks_for_a_seat_first(visited):
    stranger, token = visited.stranger(), {"x-csrftoken": visited.stranger().token()}
    open_to_all, refused = set(), 0
    for route in visited.app.router.routes:
        if "campaign" not in route.path_parameters or route.path.startswith("/campaigns"):
            continue
        path = re.sub(r"\{\w+\}", "x", route.path_format.replace("{campaign}", visited.campaign))
        for handler in route.route_handlers:
            for method in handler.http_methods - {"OPTIONS"}:
                answer = stranger.request(method, path, headers=token)
                refused += answer.status_code == 401
                if handler.opt.get("open"):
                    open_to_all.add(handler.name or handler.handler_name)
                else:
                    assert answer.status_code == 401, path
    assert refused > 100
    assert open_to_all == {"table", "join_wait", "join_check", "manifest", "export"}


def test_players_do_not_get_to_the_desk_or_the_export(visited):
    mara = visited.sits("Mara")
    assert mara.get(f"{visited.t}/desk").status_code == 403
    assert mara.get(f"{visited.t}/export").status_code == 403
    assert mara.fill(f"{visited.t}/invite").status_code == 403


def test_a_new_invitation_ends_the_old_one(visited):
    gm = visited.sits("GM")
    old = next(p for p in gm.get(f"{visited.t}/desk").text.split('"') if "/join/" in p)
    assert gm.get(f"{visited.t}/desk").text.count(old) >= 1
    gm.fill(f"{visited.t}/invite")
    new = next(p for p in gm.get(f"{visited.t}/desk").text.split('"') if "/join/" in p)
    assert new != old
    assert visited.stranger().get(old).status_code == 404
    assert visited.stranger().get(new).status_code == 200


def test_a_step_whose_key_was_ended_on_its_way_is_told_as_one_without_a_key():
    refusal = read_error(KeyEnded())
    assert (refusal.status, refusal.code) == (401, "store/key-ended")


def test_nobody_waits_while_somebody_elses_key_is_written(visited, monkeypatch):
    writes, slow, meanwhile = visited.server.store.put_token, threading.Event(), threading.Event()
    waited = []

    def put_token(token, **more):
        slow.set()
        waited.append(meanwhile.wait(30))
        writes(token, **more)

    key = visited.server.keys.issue("seat-link", visited.campaign, visited.seats["Mara"].id)
    other, stranger = visited.sits("Jonas"), visited.stranger()
    monkeypatch.setattr(visited.server.store, "put_token", put_token)
    with ThreadPoolExecutor(1) as pool:
        opening = pool.submit(stranger.get, f"/s/{key}")
        assert slow.wait(30)
        assert other.get(visited.t).status_code == 200
        assert not opening.done()
        meanwhile.set()
    assert opening.result().status_code == 303
    assert waited == [True]


def device_named(page, name):
    """The address-proof name of a device on a page of devices."""
    part = page.text.split(f"<h2>{name}</h2>")[1]
    return re.findall(r'name="device" value="([0-9a-f]{64})"', part)[0]


PHONE = {"user-agent": "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"}
LAPTOP = {"user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36"}


def test_a_seat_signs_its_devices_out_one_by_one(visited):
    phone, laptop = visited.sits("Mara", **PHONE), visited.sits("Mara", **LAPTOP)
    jonas = visited.sits("Jonas", **PHONE)
    page = laptop.get(f"{visited.t}/devices")
    assert page.text.count("<h2>") == 2
    gone, own = device_named(page, "Firefox on Android"), device_named(page, "Chrome on Linux")
    foreign = device_named(jonas.get(f"{visited.t}/devices"), "Firefox on Android")
    for device in (foreign, "0" * 64, gone):
        answer = laptop.fill(f"{visited.t}/devices/end", device=device)
        assert answer.headers["location"] == f"{visited.t}/devices"
    assert phone.get(visited.t).status_code == 401
    assert phone.fill(f"{visited.t}/say", text="still here").status_code == 401
    assert jonas.get(visited.t).status_code == laptop.get(visited.t).status_code == 200
    answer = laptop.fill(f"{visited.t}/devices/end", device=own)
    assert "You are signed out" in answer.text
    assert "Open the link of your seat again" in answer.text
    assert "Max-Age=0" in cookie_of(answer, "kt_seat")
    assert laptop.get(visited.t).status_code == 401
    assert visited.stranger().get(f"{visited.t}/devices").status_code == 401


def test_the_host_signs_devices_out(visited):
    old, new = visited.host(), visited.host()
    assert new.get(visited.t).is_redirect
    assert visited.sits("GM").get("/devices").status_code == 401
    mine = [
        token
        for token in visited.server.store.tokens(None)
        if token.purpose == "host" and token.hash in new.get("/devices").text
    ]
    assert len(mine) == 2
    first = digest(old.cookies["kt_host"])
    assert new.fill("/devices/end", device=first).is_redirect
    assert (old.get("/").status_code, new.get("/").status_code) == (401, 200)
    answer = new.fill("/devices/end", device=digest(new.cookies["kt_host"]))
    assert "You are signed out" in answer.text
    assert "Its seats stay open. For a new link, run kitchentable" in answer.text
    assert (new.get("/").status_code, new.get(visited.t).status_code) == (401, 200)


def test_over_https_no_other_site_of_the_domain_can_plant_a_cookie(visited):
    base = "https://table.example"
    key = visited.server.keys.issue("seat-link", visited.campaign, visited.seats["Mara"].id)
    mara = visited.stranger(base)
    answer = mara.get(f"/s/{key}")
    cookie = cookie_of(answer, f"__Host-kt_seat-{visited.campaign}")
    assert "Path=/;" in cookie
    assert "Secure" in cookie
    assert "Domain" not in cookie
    assert cookie_of(mara.get("/help"), "__Host-kt_browser")
    assert mara.get(visited.t).status_code == 200
    planted = visited.stranger(base)
    planted.cookies.set("kt_seat", mara.cookies[f"__Host-kt_seat-{visited.campaign}"], path="/")
    assert planted.get(visited.t).status_code == 401
    host = visited.host(base)
    assert "__Host-kt_host" in host.cookies
    assert host.get("/").status_code == 200


def test_keys_of_devices_end_by_themselves(visited, monkeypatch):
    mara, host = visited.sits("Mara"), visited.host()
    later = {"days": 0}
    now = datetime.now(UTC)

    def clock():
        return (now + timedelta(**later)).isoformat().replace("+00:00", "Z")

    monkeypatch.setattr(visited.server, "keys", KeyRing(visited.server.store, clock))
    for days, status in ((80, 200), (91, 401)):
        later["days"] = days
        assert host.get("/").status_code == status
    for days, status, said in ((399, 200, 200), (401, 401, 401)):
        later["days"] = days
        assert mara.get(visited.t).status_code == status
        assert mara.script("POST", f"{visited.t}/say", text="Hello").status_code == said
