"""A job that does all it can to outlive its end: forks, sets sessions, daemonises, ignores signals.

stubborn.py FOLDER (stay|leave) [clean]: every process notes its pid in FOLDER/pids. `stay` waits for
ever, `leave` exits with 3 once all of them are there; `clean` also starts one without any environment.
"""

import os
import signal
import sys
import time

folder, manner, *more = sys.argv[1:]


def note():
    with open(f"{folder}/pids", "a") as file:
        file.write(f"{os.getpid()}\n")


def linger():
    note()
    while True:
        time.sleep(60)


def fork(*steps):
    if os.fork() == 0:
        for step in steps:
            step()
        os._exit(0)


for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
if manner == "clean":
    linger()
fork(linger)
fork(os.setsid, linger)
fork(os.setsid, lambda: fork(linger))
fork(os.setsid, lambda: fork(os.setsid, lambda: fork(linger)))
expected = 4
if more:
    fork(os.setsid, lambda: os.execve(sys.executable, [sys.executable, __file__, folder, "clean"], {}))
    expected = 5
while True:
    with open(f"{folder}/pids", "a+") as file:
        file.seek(0)
        if len(file.readlines()) >= expected:
            break
    time.sleep(0.01)
with open(f"{folder}/ready", "w"):
    pass
if manner == "leave":
    sys.exit(3)
linger()
