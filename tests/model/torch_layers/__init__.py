"""Decoder layers written out as plain torch modules, to weigh the estimator against what PyTorch itself counts."""
