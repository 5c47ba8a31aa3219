"""What several pages say: units, dates, words, cells, rows, list prices. It knows no room."""
