"""Telling people what happened to their jobs, through channels. No channel exists yet."""
