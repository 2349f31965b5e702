"""Pages of sheets and of the party: related fields stand under one heading."""

import asyncio
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
