"""The page of webhooks: for the GM alone, with reasons for what is refused or switched off."""

import re

from kitchentable.app.webhooks import Progress


def test_the_gm_adds_a_webhook_sees_why_it_is_off_and_removes_it(visited):
    gm, path = visited.sits("GM"), f"{visited.t}/webhooks"
    hooks = visited.server.webhooks.hooks
    assert path in gm.get(f"{visited.t}/desk").text
    assert "No webhooks yet." in gm.get(path).text
    wrong = gm.fill(path, url="bot.example/hook")
    assert wrong.status_code == 422
    assert "not a valid webhook address" in wrong.text
    assert 'value="bot.example/hook"' in wrong.text
    assert "Webhooks need https:// addresses" in gm.fill(path, url="http://bot.example/hook").text
    assert gm.fill(path, url="https://bot.example/hook?key=k").is_redirect
    assert gm.fill(path, url="https://bot.example/mine", knows="mine").is_redirect
    first, second = hooks.of(visited.campaign)
    assert (first.seat, second.seat) == ("", visited.seats["GM"].id)
    number = visited.server.tables.campaign(visited.campaign).number
    assert hooks.progress(first.id) == Progress(sent=number)
    shown = gm.get(path).text
    assert set(re.findall(r"whsec_[^<]+", shown)) == {first.secret, second.secret}
    hooks.note(first.id, Progress(sent=1, tries=7, off="bot.example answered with 500."))
    assert "bot.example answered with 500." in gm.get(path).text
    assert gm.fill(f"{path}/{first.id}", do="again").is_redirect
    assert hooks.progress(first.id) == Progress(sent=1), "nothing that it missed is lost"
    tried = "2026-11-22T20:41:03.000000Z"
    hooks.note(first.id, Progress(sent=1, tries=2, tried=tried, why="bot.example does not answer."))
    assert ">20:41</time>, after 2\xa0tries: bot.example does not" in gm.get(path).text
    assert gm.fill(f"{path}/{first.id}", do="skip").is_redirect
    assert hooks.progress(first.id) == Progress(sent=number)
    assert gm.fill(f"{path}/{second.id}", do="remove").is_redirect
    assert hooks.of(visited.campaign) == (first,)


def test_nobody_else_sees_or_changes_them(visited):
    mara, path = visited.sits("Mara"), f"{visited.t}/webhooks"
    assert mara.get(path).status_code == 403
    assert mara.fill(path, url="https://bot.example/hook").status_code == 403
    assert mara.fill(f"{path}/any", do="remove").status_code == 403
    assert visited.server.webhooks.hooks.of(visited.campaign) == ()
