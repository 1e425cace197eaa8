"""GPU Man's own client pattern: one `requests.post` after the other, each on a new connection."""

from __future__ import annotations

import json
import sys
import time

import requests

if __name__ == "__main__":
    url, seconds = sys.argv[1], float(sys.argv[2])
    body = json.dumps({"usr": "li", "passwd": "secret"})
    started, count = time.perf_counter(), 0
    while time.perf_counter() - started < seconds:
        json.loads(requests.post(f"{url}/api/{('status', 'query')[count % 2]}", data=body, timeout=30).text)
        count += 1
    print(json.dumps({"rate": count / (time.perf_counter() - started)}))
