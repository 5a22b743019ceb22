"""Static sites: the whole program in the browser, without a server."""
