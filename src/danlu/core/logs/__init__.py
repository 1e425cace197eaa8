"""What is known of logs: where one is searched, when it was written, which part of a file it is."""
