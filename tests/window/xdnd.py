#!/usr/bin/env python3
"""A source of a real XDND drop: a small GTK window that files are dragged from, with xdotool as the mouse.

usage: xdnd.py X Y FILE...   (X Y: where on the screen the files are dropped)
Ends with 0 once the target has taken the files; says when the button was let go, in milliseconds since 1970.
"""

import pathlib
import subprocess
import sys
import threading
import time

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402  (the versions come first)

SOURCE_X, SOURCE_Y, SIZE = 20, 20, 60
STEPS = 10


def main() -> int:
    x, y = int(sys.argv[1]), int(sys.argv[2])
    addresses = [pathlib.Path(file).resolve().as_uri() for file in sys.argv[3:]]
    # A popup needs no window manager.
    window = Gtk.Window(type=Gtk.WindowType.POPUP)
    window.set_default_size(SIZE, SIZE)
    window.move(SOURCE_X, SOURCE_Y)
    handle = Gtk.EventBox()
    handle.add(Gtk.Label(label="drag"))
    window.add(handle)
    handle.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
    handle.drag_source_add_uri_targets()
    outcome = {"code": 1}

    def give(_widget, _context, data, _info, _time):
        data.set_uris(addresses)
        outcome["code"] = 0

    def end(_widget, _context):
        GLib.timeout_add(300, Gtk.main_quit)

    handle.connect("drag-data-get", give)
    handle.connect("drag-end", end)
    window.show_all()

    def drag():
        from_x, from_y = SOURCE_X + SIZE // 2, SOURCE_Y + SIZE // 2
        mouse = ["xdotool", "mousemove", str(from_x), str(from_y), "sleep", "0.2", "mousedown", "1"]
        # Several motions: the first ones start the drag, the target sees the later ones.
        for step in range(1, STEPS + 1):
            at_x = from_x + (x - from_x) * step // STEPS
            at_y = from_y + (y - from_y) * step // STEPS
            mouse += ["mousemove", str(at_x), str(at_y), "sleep", "0.05"]
        mouse += ["mousemove", str(x + 1), str(y), "sleep", "0.3"]

        def hold_and_let_go():
            subprocess.run(mouse, check=False)
            # The target asks for the files while they are held over it already: this is the drop.
            print(int(time.time() * 1000), flush=True)
            subprocess.run(["xdotool", "mouseup", "1"], check=False)

        threading.Thread(target=hold_and_let_go, daemon=True).start()

    GLib.timeout_add(300, drag)
    GLib.timeout_add_seconds(15, Gtk.main_quit)
    Gtk.main()
    return outcome["code"]


sys.exit(main())
