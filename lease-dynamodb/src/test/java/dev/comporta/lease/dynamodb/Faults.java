package dev.comporta.lease.dynamodb;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;

/** What can happen to one instance's requests and their answers. */
final class Faults implements ExecutionInterceptor {
    enum Kind {
        /** Never sent. */
        LOST_REQUEST,
        /** Carried out, and nobody hears of it. */
        LOST_ANSWER,
        THROTTLED
    }

    private final AtomicLong requests = new AtomicLong();
    private final AtomicInteger left = new AtomicInteger();
    private volatile Kind kind = Kind.THROTTLED;
    private volatile Predicate<SdkRequest> which = _ -> false;
    private volatile boolean cut;
    private volatile boolean broken;
    private volatile String refusal = "";
    private volatile Predicate<SdkRequest> refused = _ -> false;

    /** So many of the next requests of this kind. */
    void happen(Kind what, int times, Predicate<SdkRequest> to) {
        kind = what;
        which = to;
        left.set(times);
    }

    int left() {
        return left.get();
    }

    /** From now on AWS answers requests of this kind with this error, until {@link #permit}. */
    void refuse(String code, Predicate<SdkRequest> what) {
        refusal = code;
        refused = what;
    }

    void permit() {
        refused = _ -> false;
    }

    /** From now on every request is an error of the library itself. */
    void breakLibrary() {
        broken = true;
    }

    void cut() {
        cut = true;
    }

    void mend() {
        cut = false;
    }

    long requests() {
        return requests.get();
    }

    private boolean strikes(SdkRequest request, boolean isAnswer) {
        return which.test(request)
                && isAnswer == (kind == Kind.LOST_ANSWER)
                && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    }

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        requests.incrementAndGet();
        if (cut) {
            throw SdkClientException.create("cut off");
        }
        if (broken) {
            throw new NoSuchFieldError("USER_COUNTRY");
        }
        if (refused.test(context.request())) {
            throw refusalOf(refusal);
        }
        if (strikes(context.request(), false)) {
            if (kind == Kind.THROTTLED) {
                throw error(
                        ProvisionedThroughputExceededException.builder(),
                        "ProvisionedThroughputExceededException",
                        "slow down");
            }
            throw SdkClientException.create("the request was lost");
        }
    }

    static AwsServiceException refusalOf(String code) {
        return error(DynamoDbException.builder(), code, "not with these credentials");
    }

    private static AwsServiceException error(AwsServiceException.Builder builder, String code, String message) {
        return builder.message(message)
                .statusCode(400)
                .awsErrorDetails(AwsErrorDetails.builder()
                        .errorCode(code)
                        .errorMessage(message)
                        .build())
                .build();
    }

    @Override
    public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
        if (cut || strikes(context.request(), true)) {
            throw SdkClientException.create("the answer was lost");
        }
    }
}
