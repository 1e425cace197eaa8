"""Ready-made jobs, as people would write them: each script is sent whole as a job's command.

They need nothing but Python 3.11, run as any account, and write nowhere but where they say.
"""
