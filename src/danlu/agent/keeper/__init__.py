"""The keeper: a tiny, detached process that starts tasks, watches them, and that they outlive.

Standard library only, and nothing of ours from outside this package: it is started without
site-packages and goes on running while the package is upgraded underneath it.
"""
