-- The words of the events, for searches, and how far each campaign is indexed. The index can always
-- be derived again from the log.

create table search (
    campaign text not null references campaigns (id),
    number integer not null,
    words tsvector not null,
    primary key (campaign, number)
);
create index search_words on search using gin (words);

create table indexed (
    campaign text primary key references campaigns (id),
    number integer not null
);
