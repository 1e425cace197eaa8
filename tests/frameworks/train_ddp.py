"""A small data-parallel training. Goes on from its checkpoint; each rank writes down what it saw.

train_ddp.py STEPS [PAUSE_S between two of them]
"""

import json
import os
import sys
import time
from pathlib import Path

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

steps = int(sys.argv[1])
pause_s = float(sys.argv[2]) if len(sys.argv) > 2 else 0
folder = Path(os.environ["DANLU_CHECKPOINT_DIR"])
checkpoint = folder / "model.pt"

torch.set_num_threads(1)
dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
# Each begins somewhere else: only the training makes them the same.
torch.manual_seed(rank)
model = torch.nn.Linear(4, 1)
first = 0
if checkpoint.exists():
    state = torch.load(checkpoint)
    model.load_state_dict(state["model"])
    first = state["step"]
parallel = DistributedDataParallel(model)
optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)

torch.manual_seed(100 + rank)
inputs = torch.randn(256, 4)
targets = inputs @ torch.tensor([[1.0], [-2.0], [3.0], [0.5]]) + 0.25
losses = []
for step in range(first, steps):
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(parallel(inputs), targets)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
    time.sleep(pause_s)
    if rank == 0 and (step + 1) % 10 == 0:
        torch.save({"model": model.state_dict(), "step": step + 1}, folder / "model.new")
        (folder / "model.new").rename(checkpoint)

seen = {
    "rank": rank,
    "world": world,
    "node": os.environ["DANLU_NODE"],
    "first": first,
    "losses": losses,
    "parameters": [value for each in model.parameters() for value in each.flatten().tolist()],
}
(folder / f"seen-{os.environ['DANLU_ATTEMPT']}-{rank}.json").write_text(json.dumps(seen))
dist.destroy_process_group()
