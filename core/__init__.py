"""The rules: pure Python, no input or output, no clock, nothing of ours above it."""
