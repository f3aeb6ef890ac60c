"""Messages about machines are told again with other machines, and every value stays marked where it is said."""

import random

from training.notation import Batch, Machine, parse_line
from training.recombine import renamed

FAN = Machine("Greenhouse fan", "greenhouse", ("turn on", "turn off"), ("speed",))
LOCK = Machine("Front door lock", "hallway", ("lock", "unlock"), ("battery",))
OTHERS = [Machine(name, "", ("heat",), ()) for name in ("Milk tank 2", "Bread oven", "Bilge pump", "Loom", "Kiln")]
MESSAGE = parse_line("machine_command_execute\tso [command turn off] [device the greenhouse fan] please")
BATCH = Batch("devices-en-99", "devices", "en", (FAN, LOCK), (MESSAGE,))


def test_a_machine_under_another_name_is_there_and_marked():
    names = set()
    for seed in range(30):
        batch = renamed(BATCH, MESSAGE, OTHERS, random.Random(seed))
        (message,) = batch.messages
        spans = {span.slot: message.text[span.start : span.end] for span in message.spans}
        assert spans["command"] == "turn off"
        assert message.text == f"so turn off {spans['device']} please"
        said = spans["device"].removeprefix("the ").casefold()
        meant = [one for one in batch.machines if one.commands == FAN.commands]
        assert any(said in one.name.casefold() for one in meant)
        names.add(said)
    assert {"greenhouse fan", "bread oven"} <= names
