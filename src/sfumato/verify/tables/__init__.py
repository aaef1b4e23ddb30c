"""Is a released table k-anonymous, rows and texts together? Its claims, and how it is read for them."""
