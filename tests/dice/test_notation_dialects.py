"""Notation of other tables, translated on request."""

import pytest

from kitchentable.dice.notation import NotationError, translate


@pytest.mark.parametrize(
    ("dialect", "text", "here"),
    [
        ("roll20", "4d6k3", "4d6kh3"),
        ("roll20", "4d6d1", "4d6dl1"),
        ("roll20", "2d20kl1+5", "2d20kl1+5"),
        ("roll20", "10d6>5", "10d6 hits>=5"),
        ("roll20", "1d100<35", "1d100 hits<=35"),
        ("roll20", "2d6!", "2d6!"),
        ("roll20", "2d6!!", "2d6!"),
        ("roll20", "2d6!6", "2d6!"),
        ("roll20", "2d6!>4", "2d6!>=4"),
        ("roll20", "5d6!!>4", "5d6!>=4"),
        ("roll20", "1d6r1", "1d6rr1"),
        ("roll20", "2d6r<2", "2d6rr<=2"),
        ("roll20", "2d6ro<2", "2d6ro<=2"),
        ("roll20", "4d6sd", "4d6"),
        ("roll20", "{2d6,1d8}>4", "{2d6,1d8} hits>=4"),
        ("roll20", "{1d8!,1d6!}k1+2", "{1d8!,1d6!}kh1+2"),
        ("roll20", "floor(2d6/2)+1[str]", "2d6/2+1[str]"),
        ("roll20", "floor((2d6+3)/2)", "(2d6+3)/2"),
        ("roll20", "4dF+1d%", "4dF+1d100"),
        ("foundry", "4d6k3", "4d6kh3"),
        ("foundry", "2d20kh", "2d20kh1"),
        ("foundry", "5d10x", "5d10!"),
        ("foundry", "5d10x10", "5d10!"),
        ("foundry", "5d10x>8", "5d10!>=9"),
        ("foundry", "5d10x>=8", "5d10!>=8"),
        ("foundry", "1d20r<10", "1d20ro<=9"),
        ("foundry", "1d20rr<3", "1d20rr<=2"),
        ("foundry", "10d6cs>4", "10d6 hits>=5"),
        ("foundry", "10d6cs=6", "10d6 hits=6"),
        ("foundry", "10d6cs6 # to win", "10d6 hits=6 # to win"),
        ("avrae", "4d6kh3", "4d6kh3"),
        ("avrae", "4d6pl1", "4d6dl1"),
        ("avrae", "2d6e6", "2d6!"),
        ("avrae", "2d6e>4", "2d6!>=5"),
        ("avrae", "2d6ro<3", "2d6ro<=2"),
        ("avrae", "2d6rr1", "2d6rr1"),
        ("avrae", "10d6>=35", "(10d6)>=35"),
        ("avrae", "1d20+5>15", "(1d20+5)>=16"),
        ("avrae", "(1d8,1d6)kh1+2", "{1d8,1d6}kh1+2"),
        ("avrae", "(1d8+1)*2", "(1d8+1)*2"),
        ("avrae", "2d6//2", "2d6/2"),
        ("avrae", "-7//2", "(-7)/2"),
        ("roll20", "2d6r", "2d6rr1"),
    ],
)
def test_another_table_s_text_is_spelled_here(dialect, text, here):
    assert translate(text, dialect) == here


@pytest.mark.parametrize(
    ("dialect", "text", "position"),
    [
        ("roll20", "2d6!5", 3),
        ("roll20", "5d6!!6>4", 3),
        ("roll20", "2d6/2", 3),
        ("roll20", "floor(3-2d6/2)", 11),
        ("roll20", "floor(2d6/2*3)", 9),
        ("roll20", "floor(2d6/(3/2))", 12),
        ("roll20", "10d6>5f1", 4),
        ("roll20", "10d6>=5", 4),
        ("roll20", "1d20+5 to hit", 7),
        ("foundry", "1d10xo", 4),
        ("foundry", "7/2", 1),
        ("foundry", "1d6r<0", 3),
        ("avrae", "4d6k3", 3),
        ("avrae", "2d6ra6", 3),
        ("avrae", "10d6==5", 4),
        ("avrae", "2d6e5", 3),
    ],
)
def test_what_has_no_spelling_here_is_refused_where_it_stands(dialect, text, position):
    with pytest.raises(NotationError) as refused:
        translate(text, dialect)
    assert refused.value.text == text
    assert refused.value.position == position
