package dev.comporta.lease.dynamodb;

import dev.comporta.lease.url.SettingNames;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/** Explains why DynamoDB can't be used: which setting or permission is wrong, and what to do about it. */
record DynamoTrouble(DynamoEndpoint endpoint, SettingNames names) {
    /** Whether another instance has written the item meanwhile: it must be read again. */
    static boolean isConflict(Throwable failure) {
        return failure instanceof ConditionalCheckFailedException;
    }

    /** Whether the request may have been carried out. */
    static boolean isUnanswered(Throwable failure) {
        return !isConflict(failure) && !(failure instanceof AwsServiceException e && e.isThrottlingException());
    }

    /** Whether the same request may succeed soon: throttled, not answered, or an error of DynamoDB's own. */
    static boolean isPassing(Throwable failure) {
        if (failure instanceof AwsServiceException e) {
            return e.isThrottlingException() || e.statusCode() >= 500;
        }
        return failure instanceof SdkClientException && !isWithoutCredentials(failure) && !isWithoutRegion(failure);
    }

    private static boolean isWithoutCredentials(Throwable failure) {
        return String.valueOf(failure.getMessage()).contains("Unable to load credentials");
    }

    private static boolean isWithoutRegion(Throwable failure) {
        return String.valueOf(failure.getMessage()).contains("Unable to load region");
    }

    String of(Throwable thrown) {
        Throwable failure =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (failure instanceof AwsServiceException e) {
            return "DynamoDB, " + endpoint.where() + ": " + byCode(e);
        }
        String said = String.valueOf(root(failure).getMessage());
        return "DynamoDB, " + endpoint.where() + ": " + byKind(failure, said);
    }

    private String byCode(AwsServiceException e) {
        String code = e.awsErrorDetails() == null
                ? ""
                : String.valueOf(e.awsErrorDetails().errorCode());
        String said = e.awsErrorDetails() == null
                ? String.valueOf(e.getMessage())
                : e.awsErrorDetails().errorMessage();
        if (e instanceof ResourceNotFoundException) {
            return "the table does not exist. Create it as docs/dynamodb.md says, or set "
                    + names.choose("dynamodb.create_table", "create_table in leases")
                    + " to true and permit dynamodb:CreateTable; or correct "
                    + names.choose("dynamodb.table and dynamodb.region", "the table and the region in leases");
        }
        if (isConflict(e)) {
            return "write conflicts with other instances on every retry. Run fewer instances on this bucket";
        }
        if (e.isThrottlingException()) {
            return code + ": requests are throttled. Raise the table's capacity, or make it on-demand";
        }
        return switch (code) {
            case "AccessDeniedException" -> said + ". Permit the actions listed in docs/dynamodb.md on this table";
            case "ExpiredTokenException", "ExpiredToken" -> said + ". Renew the AWS credentials of this process";
            case "UnrecognizedClientException",
                    "InvalidSignatureException",
                    "IncompleteSignature",
                    "MissingAuthenticationToken" ->
                said + ". Correct the AWS credentials of this process, or its clock";
            case "ValidationException" ->
                said + ". The table must have the keys pk and sk, both strings: see docs/dynamodb.md";
            default -> code + ": " + said;
        };
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private String byKind(Throwable failure, String said) {
        if (failure instanceof LinkageError) {
            return said
                    + ". The AWS SDK's modules on the class path are of different versions: use one version for all";
        }
        if (isWithoutCredentials(failure)) {
            return "no AWS credentials found. Give this process a role, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
        }
        if (isWithoutRegion(failure)) {
            return "no region found. Set " + names.choose("dynamodb.region", "region in leases");
        }
        Throwable root = root(failure);
        if (root instanceof UnknownHostException) {
            return "unknown host " + said + ". Correct "
                    + names.choose("dynamodb.region or dynamodb.endpoint", "region or endpoint in leases");
        }
        if (root instanceof ConnectException) {
            return said + ". Check " + names.choose("dynamodb.endpoint", "endpoint in leases")
                    + ", and the network to it";
        }
        if (root instanceof TimeoutException) {
            return "no answer within a third of " + names.choose("heartbeat_ttl", "heartbeatTtl");
        }
        boolean isTimeout = root instanceof SocketTimeoutException
                || failure instanceof ApiCallTimeoutException
                || failure instanceof ApiCallAttemptTimeoutException;
        return isTimeout ? "no answer within " + endpoint.requestTimeout().toMillis() + " ms" : said;
    }
}
