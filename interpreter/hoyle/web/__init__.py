"""The web server of `hoyle serve`: tables in the browser. Only `app`, `sockets` and `guards` know HTTP."""
