"""The product against its peers: ratios within one run, printed as tables."""
