"""Facts and actions on one node. Knows nothing of the network."""
