-- The words of the events, for searches, and how far each campaign is indexed. The index can always
-- be derived again from the log.

create virtual table search using fts5 (marks, words, columnsize = 0, prefix = '2 3 4');

create table indexed (
    campaign text primary key references campaigns (id),
    number integer not null
);
