-- The latest saved state of each campaign, so that opening it reads few events. A snapshot can always
-- be derived again from the log: exports and backups of a log need none.

create table snapshots (
    campaign text primary key references campaigns (id),
    number integer not null check (number >= 1),
    form integer not null,
    body blob not null
);
