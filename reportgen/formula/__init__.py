"""The language: each quantity defined once, read as Python, Excel, numpy and prose."""
