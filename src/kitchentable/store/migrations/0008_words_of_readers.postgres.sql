-- Marks and words stand in the index for each reader apart. It is derived again from the log.

delete from search;
delete from indexed;
