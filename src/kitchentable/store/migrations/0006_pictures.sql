-- The pictures of a campaign: portraits and handouts, named by the hash of their bytes.

create table pictures (
    campaign text not null references campaigns (id),
    id text not null,
    body blob not null,
    primary key (campaign, id)
);
