package dev.comporta.proxy.loop;

import dev.comporta.pool.Pool;
import dev.comporta.proxy.login.ServerGreeting.Greeted;
import dev.comporta.proxy.login.ServerGreeting.Wishes;

/** The owner of a pool's connections: the clients that share them, or one client. The pool's key in the core. */
sealed interface PoolOwner permits ServerPool, Dedication {
    static PoolOwner of(Pool pool) {
        return (PoolOwner) pool.key();
    }

    /** Whether the service account's present password is requested before a connection is opened. */
    boolean asksForPassword();

    /** Text that distinguishes it from other pools of the same login, for people. */
    String profile();

    /** What PRELOGIN asks the server for. */
    Wishes wishes();

    /** The server has answered PRELOGIN: continues the opening by logging in, or by waiting for the client's own login. */
    void greeted(ServerOpening opening, Greeted server);
}
