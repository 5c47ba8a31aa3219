"""Tables of rows that several pages show: filters, columns, rows, cells, groups, pages."""
