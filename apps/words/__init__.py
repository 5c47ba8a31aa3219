"""Words for what the domain says in ids and figures: sentences for pages, the API and badges."""
