"""What people do about harm: a medic's hands, getting up again, taking up a lost weapon."""
