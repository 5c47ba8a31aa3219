"""`./run bench mutants`: whether the tests notice when the code that judges is changed a little."""
