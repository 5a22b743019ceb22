"""Tables in the browser: games kept in a file, and what each seat of them is sent. Only `app`, `sockets` and `command` know of HTTP."""
