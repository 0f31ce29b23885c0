"""A second estimator that knows no formula: it lists every tensor, places every layer, plays every schedule event.

It shares no code with the estimator. It is slow and means to be obvious: what it adds up can be read off its lists.
"""
