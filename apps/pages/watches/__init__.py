"""The plans that a person watches, and the page that ends their mails without a sign-in."""
