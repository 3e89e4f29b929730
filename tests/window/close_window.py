#!/usr/bin/env python3
"""Asks a window to close, as the button in its frame does: under a virtual screen there is no frame.

usage: close_window.py WINDOW   (its number on the screen that DISPLAY names)
"""

import ctypes
import sys


class ClientMessage(ctypes.Structure):
    """XClientMessageEvent of Xlib, with the room that an XEvent takes."""

    _fields_ = [
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("message_type", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5),
        ("room", ctypes.c_long * 24),
    ]


def main() -> int:
    window = int(sys.argv[1])
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.restype = ctypes.c_ulong
    display = ctypes.c_void_p(x11.XOpenDisplay(None))
    message = ClientMessage(type=33, window=window, format=32)
    message.message_type = x11.XInternAtom(display, b"WM_PROTOCOLS", 0)
    message.data[0] = x11.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
    sent = x11.XSendEvent(display, ctypes.c_ulong(window), 0, ctypes.c_long(0), ctypes.byref(message))
    x11.XSync(display, 0)
    return 0 if sent else 1


if __name__ == "__main__":
    sys.exit(main())
