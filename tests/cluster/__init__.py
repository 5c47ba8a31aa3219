"""Many machines on one: the files of docker/scale with a process in the place of each container."""
