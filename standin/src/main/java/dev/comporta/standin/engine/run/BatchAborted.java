package dev.comporta.standin.engine.run;

/** Unwinds a batch and all the procedures that it called, after the error that ended it was reported. */
final class BatchAborted extends RuntimeException {
    BatchAborted() {
        super("the batch was aborted", null, false, false);
    }
}
