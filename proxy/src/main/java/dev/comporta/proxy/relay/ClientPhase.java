package dev.comporta.proxy.relay;

/** What the client's present request is doing. */
enum ClientPhase {
    /** In session mode: waits for the server connection that it will keep, before its login is answered. */
    ENTERING,
    /** None: it may have a server connection all the same, when it is pinned. */
    RESTING,
    /** Comes: it gets no server connection before it is whole, or larger than what is held of it. */
    GATHERING,
    /** Waits for a server connection; what has come of the request is held. */
    QUEUED,
    /** Has one, which is being brought into this client's session state; the request is still held. */
    PREPARING,
    /** The same, and the client has cancelled the request. */
    PREPARING_CANCELLED,
    /** Is being sent on. */
    SENDING,
    /** Was sent; the response is on its way. */
    RESPONDING,
    /** Was cancelled at the server; the response is read to the acknowledgement. */
    CANCELLING,
    /** Took too long and was cancelled at the server; the response is kept from the client, which is told instead. */
    TIMED_OUT,
    /** Is over, but the server has to be asked about the transaction before the connection is shared. */
    PROBING,
    /** Was refused while still being sent: the rest is thrown away, then the error is told. */
    REFUSED,
    /** Was answered while still being sent: the rest is thrown away. */
    ANSWERED_EARLY,
    CLOSED
}
