package dev.comporta.proxy.relay;

/** What a client is doing. Only {@link ClientMachine} moves it from one phase to another. */
enum ClientPhase {
    /** Session mode: requests the server connection that it will keep; the call has not returned. */
    ENTERING_ASKING,
    /** Session mode: waits in the queue for that connection. Its login is not answered yet. */
    ENTERING_QUEUED,
    /** Session mode: has that connection, which is being reset because another client used it. */
    ENTERING_RESET,
    /** Has no request. It has a server connection only if it is pinned. */
    RESTING,
    /** Its request is arriving. A server connection is requested when the request is complete, or larger than what is held. */
    GATHERING,
    /** Requests a server connection; the call has not returned, and an answer is only noted. */
    ASKING,
    /** Waits in the queue for a server connection; what has arrived of the request is held. */
    QUEUED,
    /** Has a server connection that is not examined yet. Ends within the same event. */
    GIVEN,
    /** Has a server connection, to which this client's session state is being applied; the request is still held. */
    PREPARING,
    /** The same, and the client has cancelled the request. */
    PREPARING_CANCELLED,
    /** The request is being sent to the server. */
    SENDING,
    /** The request was sent; the response is expected or arriving. */
    RESPONDING,
    /** The request was cancelled at the server; the response is read up to the acknowledgement. */
    CANCELLING,
    /** The request took too long and was cancelled at the server; the client gets an error instead of the response. */
    TIMED_OUT,
    /** The response has ended; the server is asked whether a transaction is open before the connection is shared. */
    PROBING,
    /** The request was refused while it was arriving: the rest is dropped, then the client gets the error. */
    REFUSED,
    /** The request was answered while it was arriving: the rest is dropped. */
    ANSWERED_EARLY,
    CLOSED
}
