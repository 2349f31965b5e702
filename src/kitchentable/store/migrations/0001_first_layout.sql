-- The directory, the log, the dice streams' counters, hashed keys and secrets.

create table campaigns (
    id text primary key,
    title text not null,
    game text not null,
    created text not null,
    archived text
) without rowid;

-- A table in the order of arrival with two small indexes: a batch that touches many campaigns
-- writes a sixth of the pages that a table clustered by campaign would.
create table events (
    id integer primary key,
    campaign text not null references campaigns (id),
    number integer not null check (number >= 1),
    command text not null,
    part integer not null check (part >= 0),
    time text not null,
    kind text not null,
    body blob not null
);
create unique index events_by_number on events (campaign, number);
create unique index events_by_command on events (campaign, command, part);

create table throws (
    campaign text not null references campaigns (id),
    session integer not null check (session >= 1),
    number integer not null check (number >= 1),
    command text,
    primary key (campaign, session, number)
) without rowid;
create unique index throws_by_command on throws (campaign, session, command)
where command is not null;

create table tokens (
    hash text primary key,
    purpose text not null,
    campaign text references campaigns (id),
    seat text,
    label text not null,
    created text not null,
    expires text,
    revoked text
) without rowid;
create index tokens_by_seat on tokens (campaign, seat);

create table seeds (
    campaign text not null references campaigns (id),
    session integer not null check (session >= 1),
    seed blob not null,
    primary key (campaign, session)
) without rowid;

create table settings (
    name text primary key,
    value blob not null
) without rowid;
