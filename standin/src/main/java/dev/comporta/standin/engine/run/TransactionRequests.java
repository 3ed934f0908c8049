package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.EngineSession.TransactionRequest;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.session.Executor;
import dev.comporta.standin.engine.session.Transactions;
import org.jspecify.annotations.Nullable;

/** Transaction manager requests, which SqlClient and other drivers send in place of BEGIN TRAN, COMMIT and ROLLBACK. */
final class TransactionRequests {
    private TransactionRequests() {}

    static void run(TransactionRequest request, Transactions transactions, Response response) {
        switch (request) {
            case TransactionRequest.Begin begin -> begin(begin, transactions, response);
            case TransactionRequest.Commit commit -> {
                transactions.commit(response);
                begin(commit.next(), transactions, response);
            }
            case TransactionRequest.Rollback rollback -> {
                transactions.rollback(rollback.name(), response);
                begin(rollback.next(), transactions, response);
            }
            case TransactionRequest.Save save -> transactions.save(save.name());
        }
    }

    /**
     * Babelfish reports the requested action, not its outcome: a commit also for an inner transaction or with none open, and
     * a rollback of the whole transaction for one to a savepoint, unless something was written.
     */
    static void reportAsBabelfish(
            TransactionRequest request, Transactions transactions, Executor executor, Response response) {
        long descriptor = transactions.lastDescriptor();
        switch (request) {
            case TransactionRequest.Begin _ -> response.transactionBegan(descriptor);
            case TransactionRequest.Commit commit -> {
                response.transactionCommitted(descriptor);
                if (commit.next() != null) {
                    response.transactionBegan(descriptor);
                }
            }
            case TransactionRequest.Rollback rollback -> {
                if (!executor.hasWritten()) {
                    response.transactionRolledBack(descriptor);
                }
                if (rollback.next() != null) {
                    response.transactionBegan(descriptor);
                }
            }
            case TransactionRequest.Save _ -> {}
        }
    }

    private static void begin(TransactionRequest.@Nullable Begin begin, Transactions transactions, Response response) {
        if (begin != null) {
            transactions.setIsolation(begin.isolation());
            transactions.begin(begin.name(), response);
        }
    }
}
