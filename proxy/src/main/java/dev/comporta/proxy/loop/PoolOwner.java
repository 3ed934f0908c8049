package dev.comporta.proxy.loop;

import dev.comporta.pool.Pool;
import dev.comporta.proxy.login.ServerGreeting.Greeted;
import dev.comporta.proxy.login.ServerGreeting.Wishes;

/** Whose connections a pool has: those of clients that share them, or of one client. The pool's key in the core. */
sealed interface PoolOwner permits ServerPool, Dedication {
    static PoolOwner of(Pool pool) {
        return (PoolOwner) pool.key();
    }

    /** Whether the service account's present password is asked for before a connection is opened. */
    boolean asksForPassword();

    /** What tells it from other pools of the same login, for people. */
    String profile();

    /** What the server is asked for before the login. */
    Wishes wishes();

    /** The server has answered PRELOGIN: the opening goes on by logging in, or by waiting for the client's own login. */
    void greeted(ServerOpening opening, Greeted server);
}
