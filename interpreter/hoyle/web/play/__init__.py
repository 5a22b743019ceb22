"""Play at tables: state, storage, worker threads and bots. No HTTP and no rendering."""
