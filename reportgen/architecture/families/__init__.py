"""Data files only: one YAML file for each group of model families, and what they share in common.yaml."""
