"""What runs as a Spark pipeline before the engine does: distinct blobs in, their facts out.

DataFrames come in and go out, and nothing of a size that grows with the repository passes through this process.
"""
