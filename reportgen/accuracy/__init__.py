"""Accuracy: measured runs set beside what the estimator says of them."""
