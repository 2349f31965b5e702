"""The scenes of the browser tests: a session in progress, and one about to end."""

from __future__ import annotations

import io

from PIL import Image

from kitchentable.app.keys import new_id
from kitchentable.app.pictures import read_picture
from kitchentable.app.server import lay_out
from kitchentable.campaign.commands import (
    AskForSeat,
    ChangeEntity,
    DecideSeat,
    SaveHandout,
    SetPortrait,
    ShowHandout,
)
from tests.browser.serving import Played, Served

#: An entry of every kind, and a fight in which it is Serk who acts and Lene who is asked.
EVENING = r"""
GM> seat Wim
GM> seat Una spectator
GM> begin
Jonas> contribute a pinch of salt
GM> note gm "Serk is afraid of the psalter."
GM> move npc name="The Tax Collector" preset=right-hand importance=lieutenant
Mara> say We take the ferry, and we take it before the moon is up. [[2d6+1]]
Jonas> me stirs the soup and says nothing
Lene> say Is anybody else hearing bells?
Mara> whisper gm I keep the seal in my boot.
GM> whisper Mara Noted.
Mara> propose task for "Mara Vell" trait=perception perk="Knows the Krim valley" what="Is the old ferry still there?"
GM> settle difficulty=easy
Mara> throw 2
Lene> propose task for "Brother Ivo" trait=knowing
GM> settle difficulty=custom number=13 hidden=difficulty,number
Lene> throw 3
Jonas> propose task for "Old Tam" trait=social
GM> decline success The miller knows your soup.
Jonas> propose contest for "Old Tam" other=@"Captain Serk" trait=social perk="Best cook in the city"
GM> settle other_trait=social
Jonas> throw 3 9
Mara> roll 4d6kh3 label=Coins
GM> roll 2d6!+3 audience=gm
Lene> say That was not meant to be said.
Lene> undo Slip of the tongue
GM> move hurt who=@"Mara Vell" cause="a rope that snapped"
Jonas> propose task for "Old Tam" trait=athletics what="Jump for the other bank"
GM> settle difficulty=hard
Jonas> throw kick
GM> move fight
Mara> move initiative for "Mara Vell" faces=5
Jonas> move initiative for "Old Tam" faces=7
Lene> move initiative for "Brother Ivo" faces=9
GM> move initiative_all faces=10,3,1,2
GM> answer initiative_tie ruling=hand place.1=@"Guard by the door"
GM> propose attack for "Captain Serk" target=@"Brother Ivo" trait=attack
"""  # noqa: E501

#: Sheets that are not in play: one full of mistakes, one that waits for the GM, one of the GM's.
SHEETS = r"""
Wim> make pc "Wim of the Seven Long and Winding Staircases" line="Nobody quite knows how he came by the name"
Wim> sheet "Wim of the Seven Long and Winding Staircases" traits.aim=10 traits.athletics=9 traits.health=9 traits.social=9 traits.knowing=9 traits.strength=9 perks='[{"text":"One"},{"text":"Two"},{"text":"Three"},{"text":"Four"},{"text":"Five"},{"text":"Six"}]'
Wim> make pc "Hob Nettle" line="Ferryman"
Wim> sheet "Hob Nettle" traits.aesthetics=4 traits.athletics=4 traits.aim=4 traits.attack=4 traits.defense=4 traits.dexterity=4 traits.health=4 traits.initiative=4 traits.knowing=4 traits.perception=4 traits.social=4 traits.strength=4 traits.willpower=4 perks='[{"text":"Knows every eddy"}]'
Wim> submit "Hob Nettle"
GM> make pc "Sister Agnes" line="Keeps bees"
"""  # noqa: E501

#: A calm evening in which the GM and two players have a roll before them.
TALK = r"""
GM> begin
Mara> propose task for "Mara Vell" trait=perception what="Who is that on the stair?"
Jonas> propose task for "Old Tam" trait=social perk="Best cook in the city"
GM> settle difficulty=hard
Lene> propose task for "Brother Ivo" trait=knowing
GM> settle difficulty=custom number=13 hidden=difficulty,number
"""

#: A fight of two, whose end is soon told.
DUEL = r"""
GM> begin
GM> move fight heroes='["@Mara Vell"]' foes='["@Captain Serk"]'
"""

#: The end of an evening: one rolls for what was learned, one asks for a perk.
END = r"""
GM> begin
Mara> propose task for "Mara Vell" trait=aim perk="Good with rifles"
GM> settle
Mara> throw 9
Jonas> propose task for "Old Tam" trait=social perk="Best cook in the city"
GM> settle
Jonas> throw 9
GM> close
Jonas> move advance for "Old Tam" trait=social faces=9
Lene> move petition for "Brother Ivo" perk="Rings bells from afar" reason="That night in the tower."
"""

#: An evening that was played to its end, with its dice laid open.
OVER = r"""
GM> begin
Mara> contribute salt
Mara> roll 3d6
GM> close
GM> end
"""


#: What stands on a handout, in Markdown.
LETTER = """Rain. *Two lanterns*, one way out.

# Of the port of Krim
- 21 crates of salt
- 2 of which are **not to be opened**

| Crate | Weight |
| --- | --- |
| first | 3 |

Ask [[Old Tam]] about [[Kick]], and throw [[2d6+1]].
"""


class World:
    """A running server with a table in every state that a page can show."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.evening = self.lay()
        self.evening.play(EVENING)
        self.evening.play(SHEETS)
        self.knocking = self._knocks("Somebody from next door")
        self.refused = self._knocks("Ruth")
        self.evening.cookie("Ruth")  # she came with a device, which then opens nothing any more
        gm = self.evening.stage.seat("GM")
        self.evening.do(DecideSeat(id=new_id(), seat=gm, of=self.refused, verdict="refuse"))
        hidden = self.evening.entity("The Tax Collector")
        self.evening.do(ChangeEntity(id=new_id(), seat=gm, entity=hidden, hidden=True))
        self.talk = self.lay()
        self.talk.play(TALK)
        self._set_backdrop(self.talk)
        self.duel = self.lay()
        self.duel.play(DUEL)
        self.end = self.lay()
        self.end.play(END)
        self.over = self.lay()
        self.over.play(OVER)

    def _set_backdrop(self, played: Played) -> None:
        """Set a scene with a picture, and give Mara a portrait and a letter."""
        file = io.BytesIO()
        Image.new("RGB", (640, 240), "#31456a").save(file, "PNG")
        made = [read_picture(file.getvalue(), portrait=one) for one in (False, True)]
        for one in made:
            self.served.server.store.put_picture(played.campaign, one)
        gm, mara = played.stage.seat("GM"), played.stage.seat("Mara")
        for title, picture, to in (
            ("The customs house at Krim", made[0].id, ("all",)),
            ("Bill of lading", "", (mara,)),
        ):
            save = SaveHandout(id=new_id(), seat=gm, title=title, text=LETTER, picture=picture)
            handout = played.do(save).events[0].data["handout"]
            behind = bool(picture)
            played.do(ShowHandout(id=new_id(), seat=gm, handout=handout, to=to, backdrop=behind))
        who = played.entity("Mara Vell")
        played.do(SetPortrait(id=new_id(), seat=mara, entity=who, picture=made[1].id))

    def lay(self) -> Played:
        """Lay out a copy of the ready campaign."""
        server = self.served.server
        return Played(self.served, self.served.wait_for(lay_out(server, "toast")))

    def _knocks(self, name: str) -> str:
        seat = new_id()
        self.evening.do(AskForSeat(id=new_id(), new_seat=seat, name=name))
        self.evening.stage.seats[name] = seat
        return seat
