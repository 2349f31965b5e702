-- Forms that somebody has begun and not sent.

create table drafts (
    campaign text not null references campaigns (id),
    seat text not null,
    key text not null,
    body blob not null,
    saved text not null,
    primary key (campaign, seat, key)
) without rowid;
