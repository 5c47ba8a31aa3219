"""The page of each plan, drive family and provider."""
