"""Tables of rows that several pages show: columns, rows, cells, choices, groups, pages."""
