-- Marks and words stand in the index for each reader apart. It is derived again from the log.
-- A word for everybody begins with "616c6cx", so these are its beginnings of 2, 3 and 4 letters.

drop table search;
create virtual table search using fts5
    (marks, words, columnsize = 0, detail = column, prefix = '9 10 11');

delete from indexed;
