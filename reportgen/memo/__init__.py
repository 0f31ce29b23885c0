"""The memo: values to what it says, values to figures, HTML to a PDF that can be signed."""
