"""The engine on Spark: the embedded kernels inside Arrow functions over hash-partitioned shards.

Facts and relations come in and go out as DataFrames; only the DataFrame API and Arrow functions are used, so that Spark
Connect works as well as a local master.
"""
