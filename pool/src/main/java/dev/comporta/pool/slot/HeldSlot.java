package dev.comporta.pool.slot;

import dev.comporta.pool.list.Link;
import dev.comporta.pool.state.SlotHold;

/** The slot of a server connection, if it has one. Changed by {@link Slots} alone. */
public final class HeldSlot {
    final Link<HeldSlot> owed = new Link<>(this);
    SlotHold hold = SlotHold.NONE;

    public SlotHold hold() {
        return hold;
    }
}
