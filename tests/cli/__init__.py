"""The command line, driven with an archive that answers what a test made up."""
