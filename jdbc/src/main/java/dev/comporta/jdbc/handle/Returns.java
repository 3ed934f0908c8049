package dev.comporta.jdbc.handle;

import dev.comporta.jdbc.session.Session;

/** Where a connection goes when its client closes it. */
@FunctionalInterface
public interface Returns {
    void giveBack(Session session);
}
