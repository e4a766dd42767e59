"""The adapters of haptic devices, on stand-ins for their drivers."""

import importlib.util
import pickle
import sys
import threading
import types
from pathlib import Path

import numpy as np
import pytest

FILE = Path(__file__).resolve().parents[2] / "integrations" / "haptics" / "devices.py"
PLACE = (0.01, -0.02, 0.03)


def adapter(name, monkeypatch):
    """A class of the file that users copy."""
    spec = importlib.util.spec_from_file_location("devices", FILE)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "devices", module)
    spec.loader.exec_module(module)
    return getattr(module, name)


def stand_in(name, monkeypatch, **members):
    """A module of a driver."""
    module = types.ModuleType(name)
    for key, value in members.items():
        setattr(module, key, value)
    monkeypatch.setitem(sys.modules, name, module)
    return module


def force_dimension(monkeypatch, *, answers=0):
    sent = []

    def position(out, ID):
        out[:] = PLACE
        return answers

    dhd = types.SimpleNamespace(
        open=lambda: answers,
        openID=lambda number: number,
        getPosition=position,
        setForce=lambda force, ID: sent.append(list(force)) or answers,
        errorGetLastStr=lambda: "no device found",
    )
    stand_in("forcedimension_core", monkeypatch, dhd=dhd)
    return adapter("ForceDimension", monkeypatch), lambda: sent[-1]


def open_haptics(monkeypatch):
    sent, stop = [], threading.Event()
    transform = np.eye(4)
    transform[3, :3] = 1e3 * np.array(PLACE)

    class HapticDevice:
        def __init__(self, callback, device_name, scheduler_type):
            def loop():
                while not stop.wait(1e-3):
                    callback()

            threading.Thread(target=loop, daemon=True).start()

    hd = stand_in(
        "pyOpenHaptics.hd",
        monkeypatch,
        get_transform=lambda: transform,
        set_force=lambda force: sent.append(list(force)),
    )
    stand_in("pyOpenHaptics", monkeypatch, hd=hd)
    stand_in("pyOpenHaptics.hd_callback", monkeypatch, hd_callback=lambda f: f)
    stand_in("pyOpenHaptics.hd_device", monkeypatch, HapticDevice=HapticDevice)

    def last():
        count = len(sent)
        while len(sent) < count + 2:
            stop.wait(1e-3)
        return sent[-1]

    return adapter("OpenHaptics", monkeypatch), last


def haply(monkeypatch):
    sent = []

    class Device:
        def __init__(self, stream):
            assert stream == "/dev/hand"

        def device_wakeup_dict(self):
            return {"device_id": 1}

        def end_effector_force(self, force):
            sent.append(list(force))
            return list(PLACE), [0.0, 0.0, 0.0]

    stand_in(
        "HaplyHardwareAPI",
        monkeypatch,
        detect_inverse3s=lambda: ["/dev/hand"],
        SerialStream=lambda port: port,
        Inverse3=Device,
    )
    return adapter("Inverse3", monkeypatch), lambda: sent[-1]


@pytest.mark.parametrize("made", [force_dimension, open_haptics, haply])
def test_a_device_reads_places_and_writes_limited_forces(made, monkeypatch):
    cls, last = made(monkeypatch)
    device = pickle.loads(pickle.dumps(cls(scale=2.0, centre=(1.0, 0.0, 0.0), most=2.0)))
    np.testing.assert_allclose(device.read(), [1.02, -0.04, 0.06], atol=1e-12)
    device.write(np.array([0.0, 30.0, 40.0]))
    device.read()
    np.testing.assert_allclose(last(), [0.0, 1.2, 1.6], atol=1e-12)
    device.write(np.zeros(3))
    np.testing.assert_allclose(last(), 0.0)


def test_a_device_that_is_not_there_is_said(monkeypatch):
    cls, _ = force_dimension(monkeypatch, answers=-1)
    with pytest.raises(OSError, match="no device found"):
        cls().read()
