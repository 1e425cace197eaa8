"""Nodes on the wire: what they are and do, who belongs to the cluster, the doctor, installs."""
