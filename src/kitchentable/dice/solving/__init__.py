"""The exact solver: the one clever part.

A mechanic is run again and again with dice that follow a script: every choice point that was met
before is answered as before, the next one is opened, depth first, until every path has been
walked. Three ideas keep the paths few:

- a whole number stays *covered* (:mod:`.covered`) until the mechanic asks something about it, and
  then only the answer branches;
- a mechanic called inside another one is solved once and is one choice point (:mod:`.solver`);
- a mechanic that calls itself is an equation, and equations are solved exactly (:mod:`.closing`).
"""
