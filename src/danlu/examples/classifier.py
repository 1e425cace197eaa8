#!/usr/bin/env python3
"""A small neural network learns to tell two half moons apart. Nothing but Python is needed."""

import math
import random
import time

EPOCHS, HIDDEN, RATE = 30, 12, 0.08
BLUE, GREEN, DIM, PLAIN = "\033[34m", "\033[32m", "\033[2m", "\033[0m"
chance = random.Random(7)


def make_moons(count: int) -> list[tuple[float, float, int]]:
    """Points of two half moons that reach into each other, with some noise."""
    points = []
    for number in range(count):
        label, angle = number % 2, chance.random() * math.pi
        x = math.cos(angle) if label == 0 else 1 - math.cos(angle)
        y = math.sin(angle) if label == 0 else 0.5 - math.sin(angle)
        points.append((x + chance.gauss(0, 0.12), y + chance.gauss(0, 0.12), label))
    return points


class Network:
    """Two inputs, one hidden layer, one answer between 0 and 1."""

    def __init__(self) -> None:
        self.inner = [[chance.gauss(0, 1) for _ in range(3)] for _ in range(HIDDEN)]
        self.outer = [chance.gauss(0, 0.5) for _ in range(HIDDEN + 1)]

    def answer(self, x: float, y: float) -> tuple[list[float], float]:
        hidden = [math.tanh(a * x + b * y + c) for a, b, c in self.inner]
        total = self.outer[-1] + sum(w * h for w, h in zip(self.outer, hidden, strict=False))
        return hidden, 1 / (1 + math.exp(-total))

    def learn(self, x: float, y: float, label: int) -> float:
        """One step downhill; the loss before it."""
        hidden, said = self.answer(x, y)
        error = said - label
        for unit, value in enumerate(hidden):
            back = RATE * error * self.outer[unit] * (1 - value * value)
            self.outer[unit] -= RATE * error * value
            a, b, c = self.inner[unit]
            self.inner[unit] = [a - back * x, b - back * y, c - back]
        self.outer[-1] -= RATE * error
        return -math.log(max(said if label else 1 - said, 1e-12))


def main() -> None:
    training, testing = make_moons(240), make_moons(200)
    network = Network()
    print(f"{BLUE}Two moons{PLAIN}: {len(training)} points to learn from, {len(testing)} to test with")
    for epoch in range(1, EPOCHS + 1):
        chance.shuffle(training)
        loss = 0.0
        for number, point in enumerate(training, 1):
            loss += network.learn(*point)
            if number % 12 == 0:
                done = 24 * number // len(training)
                print(f"\r{DIM}epoch {epoch:2d} [{'#' * done:24s}]{PLAIN}", end="")
                time.sleep(0.02)
        print(f"\repoch {epoch:2d}/{EPOCHS}  loss {loss / len(training):.4f}{' ' * 16}")
    right = sum((network.answer(x, y)[1] > 0.5) == bool(label) for x, y, label in testing)
    print(f"{GREEN}accuracy {100 * right / len(testing):.1f} %{PLAIN}")


if __name__ == "__main__":
    main()
