"""Where relations live and joins run. Strategies see only what a backend offers: lookups, appends, plans executed."""
