"""How simulated machines behave: state over time, metrics and commands. No clock, no network."""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import exp
from random import Random
from typing import NamedTuple

from sayso.devices.link.wire import Scalar

ROOM = 22.0  # °C


class Did(NamedTuple):
    """The result of a command: whether it changed anything, or why the machine refused it."""

    changed: bool = False
    refusal: str | None = None


class Kind(ABC):
    """The behaviour and state of one machine."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self.fault: str | None = None

    @abstractmethod
    def pass_time(self, seconds: float) -> None:
        """Let time pass."""

    @abstractmethod
    def measure(self) -> dict[str, Scalar]:
        """The current values of its metrics."""

    @abstractmethod
    def do(self, command: str, value: float | None) -> Did:
        """Run a command."""

    def _happens(self, per_hour: float, seconds: float) -> bool:
        return self._chance.random() < 1 - exp(-per_hour * seconds / 3600)

    def _set(self, name: str, value: object) -> Did:
        before = getattr(self, name)
        setattr(self, name, value)
        return Did(changed=before != value)


def _towards(now: float, goal: float, minutes: float, seconds: float) -> float:
    """Move `now` exponentially towards `goal`, with a time constant of so many minutes."""
    return goal + (now - goal) * exp(-seconds / 60 / minutes)


class Fridge(Kind):
    """Cools to its target, and warms while the door is open and while it defrosts. It defrosts every six hours."""

    def __init__(self, chance: Random) -> None:
        super().__init__(chance)
        self.target, self.temperature = 4.0, chance.uniform(3.2, 5.0)
        self.light = self.door = False
        self.defrosting, self.until_defrost = 0.0, chance.uniform(1, 6) * 3600

    def pass_time(self, seconds: float) -> None:
        self.door = (self.door and not self._happens(120, seconds)) or self._happens(4, seconds)
        self.until_defrost -= seconds
        if self.until_defrost <= 0:
            self.defrosting, self.until_defrost = 20 * 60.0, 6 * 3600.0
        self.defrosting = max(0.0, self.defrosting - seconds)
        if self.fault is None and self._happens(0.02, seconds):
            self.fault = "compressor"
        goal = ROOM if self.fault else 9.0 if self.defrosting else self.target + (4 if self.door else 0)
        self.temperature = _towards(self.temperature, goal, 90 if self.fault else 15, seconds)
        self.temperature += self._chance.gauss(0, 0.03)

    def measure(self) -> dict[str, Scalar]:
        return {
            "temperature": round(self.temperature, 1),
            "target": self.target,
            "door": self.door,
            "light": self.light,
            "defrosting": self.defrosting > 0,
            "fault": self.fault,
        }

    def do(self, command: str, value: float | None) -> Did:
        match command:
            case "light_on":
                return self._set("light", True)
            case "light_off":
                return self._set("light", False)
            case "set_temperature" if value is not None:
                return self._set("target", value)
            case "factory_reset":
                self.target, self.light, self.fault = 4.0, False, None
                return Did(changed=True)
            case "defrost" if self.fault:
                return Did(refusal="faulty")
            case "defrost":
                started = not self.defrosting
                self.defrosting = 20 * 60.0
                return Did(changed=started)
            case _:
                return Did(refusal="unknown")


class Oven(Kind):
    """Heats to its target when it is on, and cools down slowly. It is cleaned cold, with the door shut."""

    def __init__(self, chance: Random) -> None:
        super().__init__(chance)
        self.temperature, self.target, self.on, self.door = ROOM, 180.0, False, False
        self.cleaning = 0.0

    def pass_time(self, seconds: float) -> None:
        self.door = (self.door and not self._happens(200, seconds)) or (self.on and self._happens(3, seconds))
        self.cleaning = max(0.0, self.cleaning - seconds)
        goal = 450.0 if self.cleaning else self.target - (40 if self.door else 0) if self.on else ROOM
        self.temperature = _towards(self.temperature, goal, 5 if self.on or self.cleaning else 25, seconds)

    def measure(self) -> dict[str, Scalar]:
        state = "cleaning" if self.cleaning else "on" if self.on else "off"
        return {
            "temperature": round(self.temperature, 1),
            "target": self.target,
            "door": self.door,
            "state": state,
            "fault": self.fault,
        }

    def do(self, command: str, value: float | None) -> Did:
        match command:
            case "turn_on":
                return self._set("on", True)
            case "turn_off":
                return self._set("on", False)
            case "set_temperature" if value is not None:
                return self._set("target", value)
            case "clean" if self.temperature > 60:
                return Did(refusal="hot")
            case "clean" if self.door:
                return Did(refusal="open")
            case "clean":
                self.on, self.cleaning = False, 3600.0
                return Did(changed=True)
            case _:
                return Did(refusal="unknown")


class Lamp(Kind):
    """Its power depends on its brightness."""

    def __init__(self, chance: Random) -> None:
        super().__init__(chance)
        self.on, self.brightness = False, 80.0

    def pass_time(self, seconds: float) -> None:
        """Time does not change a lamp."""

    def measure(self) -> dict[str, Scalar]:
        power = self.brightness * 0.09 * self._chance.uniform(0.98, 1.02) if self.on else 0.3
        return {"state": self.on, "brightness": self.brightness, "power": round(power, 2)}

    def do(self, command: str, value: float | None) -> Did:
        match command:
            case "turn_on":
                return self._set("on", True)
            case "turn_off":
                return self._set("on", False)
            case "set_brightness" if value is not None:
                changed = not self.on or self.brightness != value
                self.on, self.brightness = True, value
                return Did(changed=changed)
            case _:
                return Did(refusal="unknown")


class Pump(Kind):
    """Builds up pressure while it runs. Sometimes it runs dry, and does not start again until it is drained."""

    def __init__(self, chance: Random) -> None:
        super().__init__(chance)
        self.running, self.goal, self.speed, self.pressure = False, 1500.0, 0.0, 0.2

    def pass_time(self, seconds: float) -> None:
        if self.running and self._happens(0.1, seconds):
            self.running, self.fault = False, "dry run"
        self.speed = _towards(self.speed, self.goal if self.running else 0.0, 0.1, seconds)
        self.pressure = _towards(self.pressure, 0.2 + self.speed / 700, 0.3, seconds)

    def measure(self) -> dict[str, Scalar]:
        return {
            "pressure": round(self.pressure + self._chance.gauss(0, 0.01), 2),
            "flow": round(self.speed / 40, 1),
            "speed": round(self.speed),
            "running": self.running,
            "fault": self.fault,
        }

    def do(self, command: str, value: float | None) -> Did:
        match command:
            case "start" if self.fault:
                return Did(refusal="faulty")
            case "start":
                return self._set("running", True)
            case "stop":
                return self._set("running", False)
            case "set_speed" if value is not None:
                return self._set("goal", value)
            case "drain":
                self.running, self.fault = False, None
                return Did(changed=True)
            case _:
                return Did(refusal="unknown")


KINDS: dict[str, type[Kind]] = {"fridge": Fridge, "oven": Oven, "lamp": Lamp, "pump": Pump}
