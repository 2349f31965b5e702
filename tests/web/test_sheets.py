"""Pages of sheets and of the party: related fields stand under one heading."""

import asyncio
import html
import re

LIST = re.compile(
    r"(?:<p class=\"help\">|<h[23]>)(Basic|Gained) talents</(?:p|h[23])>(.*?)"
    r"(?=<h[23]>|<p class=\"help\">|</article>|</section>|</details>)",
    re.DOTALL,
)


def test_basic_and_gained_talents_stand_apart_by_a_word_on_sheet_and_party(visited):
    visited.campaign = asyncio.run(visited.server.open_example("objects"))
    table = visited.server.tables.campaign(visited.campaign).table
    player = next(seat.name for seat in table.players())
    one = visited.sits(player)
    mine = next(
        entity
        for entity in table.entities.values()
        if entity.is_players and entity.sheet["basic"] and entity.sheet["talents"]
    )
    basic, gained = next(iter(mine.sheet["basic"])), mine.sheet["talents"][0]["name"]
    for page in (f"/t/{visited.campaign}", f"/t/{visited.campaign}/sheets/{mine.id}"):
        text = one.get(page).text
        lists = LIST.findall(text)
        assert any(word == "Basic" and basic in words.casefold() for word, words in lists)
        assert any(word == "Gained" and gained in words for word, words in lists)
        assert not any(word == "Basic" and gained in words for word, words in lists)


def test_a_single_track_has_its_name_unless_its_words_say_it(visited):
    tracks = re.compile(r'<p class="track.*?</p>')
    told = " ".join(tracks.findall(visited.sits("GM").get(visited.t).text))
    assert ("0/4 wounds" in told, "<b>Wounds</b>" in told) == (True, False)
    visited.campaign = asyncio.run(visited.server.open_example("objects"))
    player, *_ = visited.server.tables.campaign(visited.campaign).table.players()
    for who in ("GM", player.name):
        found = tracks.findall(visited.sits(who).get(f"/t/{visited.campaign}").text)
        assert found
        assert all("<b>Status</b>" in one for one in found)


def fields_of(page):
    """The fields of the builder's form as a browser without scripts sends them."""
    form = page.partition('<form id="builder"')[2].partition("</form>")[0]
    boxes = re.compile(r'<input type="(?:checkbox|radio)"(?:(?! checked)[^>])*>')
    found = re.findall(r'<input[^>]*name="([^"]+)"[^>]*?value="([^"]*)"', boxes.sub("", form))
    return {name: html.unescape(value) for name, value in found if not name.startswith("_")}


def test_two_pages_of_one_sheet_change_a_list_and_nothing_is_lost(visited):
    mara, who = visited.sits("Mara"), visited.entity("Mara Vell")
    where = f"{visited.t}/characters/{who}"

    def sheet():
        return visited.server.tables.campaign(visited.campaign).table.entities[who].sheet

    visited.sits("GM").fill(f"{where}/decide", accept="no", reason="Please look again")
    first, second = (fields_of(mara.get(f"{where}?step=all").text) for _ in range(2))
    before = [one["text"] for one in sheet()["perks"]]
    spare = f"a.perks.{len(before)}.text"
    # The second page adds a perk, the first one changes its line and knows of no new perk.
    assert mara.fill(f"{where}/save", **second | {spare: "Sees in the dark"}).status_code == 303
    assert mara.fill(f"{where}/save", **first | {"line": "Once a smuggler"}).status_code == 303
    now = visited.server.tables.campaign(visited.campaign).table.entities[who]
    assert [one["text"] for one in now.sheet["perks"]] == [*before, "Sees in the dark"]
    assert now.line == "Once a smuggler"
    # What both have changed is told, and kept as it is; the rest of the older page is kept.
    sent = first | {spare: "Sings", "line": "A smuggler", "command": "another"}
    refused = mara.fill(f"{where}/save", **sent)
    assert refused.status_code == 422
    assert "Perks: another page has changed this to " in refused.text
    assert "Sees in the dark, so your change is not saved." in refused.text
    assert 'value="Sings"' in refused.text
    assert [one["text"] for one in sheet()["perks"]] == [*before, "Sees in the dark"]
    # The page that was told is as old as before, and the one that is loaded again is not.
    again = fields_of(mara.get(f"{where}?step=all").text)
    longer = f"a.perks.{len(before) + 1}.text"
    assert mara.fill(f"{where}/save", **again | {longer: "Sings"}).status_code == 303
    assert [one["text"] for one in sheet()["perks"]] == [*before, "Sees in the dark", "Sings"]


def test_a_page_takes_its_own_saves_for_no_other_pages(visited):
    mara, who = visited.sits("Mara"), visited.entity("Mara Vell")
    where = f"{visited.t}/characters/{who}"
    visited.sits("GM").fill(f"{where}/decide", accept="no", reason="Please look again")
    drawn = fields_of(mara.get(f"{where}?step=all").text)
    blank = re.compile(r"a\.perks\.\d+\.text")
    (spare,) = (name for name, text in drawn.items() if blank.fullmatch(name) and not text)
    for command, perk in (("one", "Sings"), ("two", "Sings well")):
        sent = drawn | {spare: perk, "command": command}
        assert mara.fill(f"{where}/save", **sent).status_code == 303
    perks = visited.server.tables.campaign(visited.campaign).table.entities[who].sheet["perks"]
    assert perks[-1]["text"] == "Sings well"
