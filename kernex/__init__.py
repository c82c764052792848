"""The command `kernex`, and in an installed wheel the app that it starts, in the folder app/."""
