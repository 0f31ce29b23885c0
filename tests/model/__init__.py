"""Independent evidence for the estimator: worked cases, published figures, brute force, and the contract."""
