"""A seat's client: the far end of the protocol, used alike by screens, bots and tests.

SEAM (being built): this is the interface that `tui` is written against.

    client = SeatClient(transport, table_id, keys=SeatKeys, name="Ada", kind="person", pin=None)
    client = SeatClient(transport, table_id, keys=..., name=None)        # a spectator
    task = create_task(client.run())          # until Ended; cancel to drop the line
    async for update in client.updates(): ... # Seen, Answered, Line, Words, Ended (last)
    aid = client.act(action)                  # core Action; answers the question of the latest view
    aid = client.order(order)                 # net.orders
    aid = client.say("text")                  # chat
    client.leave()                            # gives the seat up in the lobby; Ended("left") follows
    client.refresh()                          # ask for the whole view again

act/order/say never block and never raise: they return the aid at once, and an
`Answered` with that aid follows, however often the line drops in between.
"""
