"""What the server of chat_server.py may do, by the name of the model asked.

A behaviour gets the call (chat_server.Handler) and answers it.
"""
SOON = {"retry-after-ms": "1"}  # the next try need not wait
BEHAVIOURS = {}


def behaviour(function):
    BEHAVIOURS[function.__name__.replace("_", "-")] = function
    return function
