"""The whole product on one machine, as `./run demo` and the tests bring it up."""
