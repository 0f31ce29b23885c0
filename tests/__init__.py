"""Tests of reportgen, in the same folders as what they test."""
