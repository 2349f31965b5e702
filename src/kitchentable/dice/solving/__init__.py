"""The exact solver: the one clever part.

A mechanic is run again and again with dice that follow a script: every choice point that was met
before is answered as before, the next one is opened, depth first, until every path has been
walked. Three ideas keep the paths few:

- a whole number stays *covered* (:mod:`.covered`) until the mechanic asks something about it, and
  then only the answer branches;
- the result of a mechanic called inside another one is *pending* (:mod:`.pending`): handed on, it
  divides no path; looked at, it is solved once and divides them by its outcomes (:mod:`.solver`);
- calls that hand on calls are an absorbing chain, which is solved exactly (:mod:`.chain`).
"""
