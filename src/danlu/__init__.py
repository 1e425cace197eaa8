"""Danlu turns a lab's GPU machines into one shared furnace for deep learning."""

__version__ = "0.1.0"
