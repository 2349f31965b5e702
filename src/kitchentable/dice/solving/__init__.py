"""The exact solver: the distribution of a mechanic by depth-first enumeration of its paths.

The mechanic is run once for each path. Each run repeats the choices of the path so far and opens
the next choice point (:mod:`.walk`, with the dice of :mod:`.dice`). Three ideas keep the number of
paths small:

- a whole number stays *symbolic* (:mod:`.symbolic`): the mechanic can compare it without
  enumerating its support (:mod:`.queries`);
- the result of a mechanic called inside another one is *pending* (:mod:`.pending`): if the result
  is returned, paths do not branch; if it is used, the call is solved once and paths branch over its
  outcomes (:mod:`.solver`);
- calls that return the results of other calls form an absorbing chain, which is solved exactly
  (:mod:`.chain`).
"""
