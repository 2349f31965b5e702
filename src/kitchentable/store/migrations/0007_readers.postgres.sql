-- Who may know of each event, so that a page of the log reads no others. The whole index is derived
-- again from the log.

create table readers (
    campaign text not null references campaigns (id),
    reader text not null,
    number integer not null,
    primary key (campaign, reader, number)
);

delete from search;
delete from indexed;
