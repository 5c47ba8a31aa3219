"""`./run bench pages`: Lighthouse's scores of the pages that people open first."""
