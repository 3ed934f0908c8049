package dev.comporta.lease.dynamodb;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

/** Sends requests to the table, without retries. Any thread; blocks. */
final class DynamoTable implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DynamoTable.class);

    /** The JDK keeps this many idle connections to one address; each further request at the same time would open a new one. */
    private static final int CONNECTIONS = 5;

    private static final int BATCH = 100;
    private static final Duration CREATION_CHECK = Duration.ofMillis(200);

    /** If {@code DescribeTable} is not permitted, the table is taken for the one in which its books were written. */
    private static final Identity UNKNOWN = new Identity("", false);

    /**
     * Which table this is. One that was restored from a backup, or deleted and created again, is another one.
     *
     * @param id empty if {@code DescribeTable} is not permitted
     * @param isOld whether it is older than a time to live: then a bucket without a book is new, and its book was not lost
     */
    record Identity(String id, boolean isOld) {}

    private final DynamoEndpoint endpoint;
    private final Duration timeToLive;
    private final List<ExecutionInterceptor> interceptors;
    private final Semaphore connections = new Semaphore(CONNECTIONS, true);

    private final ReentrantLock naming = new ReentrantLock();
    private final AtomicBoolean warnedOfDenial = new AtomicBoolean();

    private @Nullable DynamoDbClient client;
    private boolean closed;
    private volatile @Nullable Identity identity;

    /** @param interceptors for tests, which change requests and answers */
    DynamoTable(DynamoEndpoint endpoint, Duration timeToLive, List<ExecutionInterceptor> interceptors) {
        this.endpoint = endpoint;
        this.timeToLive = timeToLive;
        this.interceptors = interceptors;
    }

    /** Made with the first request, so that a missing region or missing credentials count as a store that can't be reached. */
    private synchronized DynamoDbClient client() {
        if (closed) {
            throw new IllegalStateException("the store is closed");
        }
        if (client == null) {
            DynamoDbClientBuilder builder = DynamoDbClient.builder()
                    .httpClientBuilder(UrlConnectionHttpClient.builder()
                            .connectionTimeout(endpoint.dialTimeout())
                            .socketTimeout(endpoint.requestTimeout()))
                    .overrideConfiguration(o -> o.retryStrategy(AwsRetryStrategy.doNotRetry())
                            .apiCallTimeout(endpoint.dialTimeout().plus(endpoint.requestTimeout()))
                            .executionInterceptors(interceptors));
            endpoint.region().map(Region::of).ifPresent(builder::region);
            endpoint.endpoint().ifPresent(builder::endpointOverride);
            client = builder.build();
        }
        return client;
    }

    private <T> T ask(Function<DynamoDbClient, T> request) {
        connections.acquireUninterruptibly();
        try {
            return request.apply(client());
        } finally {
            connections.release();
        }
    }

    private <T> T askTable(Function<DynamoDbClient, T> request) {
        identity();
        try {
            return ask(request);
        } catch (ResourceNotFoundException e) {
            doubt();
            throw e;
        }
    }

    /** The item, as the last write left it. */
    Optional<Map<String, AttributeValue>> get(Items.Key key) {
        var answer = askTable(c -> c.getItem(
                r -> r.tableName(endpoint.table()).key(key.attributes()).consistentRead(true)));
        return answer.hasItem() && !answer.item().isEmpty() ? Optional.of(answer.item()) : Optional.empty();
    }

    /** Reads several items. A key without an item has an empty value; a key that DynamoDB left unprocessed is missing. */
    Map<Items.Key, Optional<Map<String, AttributeValue>>> getAll(Collection<Items.Key> keys) {
        Map<Items.Key, Optional<Map<String, AttributeValue>>> found = new HashMap<>();
        List<Items.Key> all = List.copyOf(keys);
        for (int from = 0; from < all.size(); from += BATCH) {
            getBatch(all.subList(from, Math.min(all.size(), from + BATCH)), found);
        }
        return found;
    }

    private void getBatch(List<Items.Key> keys, Map<Items.Key, Optional<Map<String, AttributeValue>>> found) {
        KeysAndAttributes wanted = KeysAndAttributes.builder()
                .keys(keys.stream().map(Items.Key::attributes).toList())
                .consistentRead(true)
                .build();
        var answer = askTable(c -> c.batchGetItem(r -> r.requestItems(Map.of(endpoint.table(), wanted))));
        keys.forEach(key -> found.put(key, Optional.empty()));
        for (var item : answer.responses().getOrDefault(endpoint.table(), List.of())) {
            found.put(Items.Key.of(item), Optional.of(item));
        }
        KeysAndAttributes left = answer.unprocessedKeys().get(endpoint.table());
        if (left != null) {
            left.keys().forEach(key -> found.remove(Items.Key.of(key)));
        }
    }

    /** All items of a partition; a few pages at most. */
    List<Map<String, AttributeValue>> all(String partition) {
        return askTable(c -> c
                .queryPaginator(r -> r.tableName(endpoint.table())
                        .consistentRead(true)
                        .keyConditionExpression("pk = :p")
                        .expressionAttributeValues(Map.of(":p", Items.text(partition))))
                .items()
                .stream()
                .collect(Collectors.toList()));
    }

    void put(Map<String, AttributeValue> item) {
        askTable(c -> c.putItem(r -> r.tableName(endpoint.table()).item(item)));
    }

    /**
     * Writes the item if no other instance has written it since it was read.
     *
     * @param stamp the stamp of the item that was read; absent if there was no item
     */
    void putIfUnchanged(Map<String, AttributeValue> item, Optional<String> stamp) {
        PutItemRequest.Builder request =
                PutItemRequest.builder().tableName(endpoint.table()).item(item);
        if (stamp.isPresent()) {
            request.conditionExpression("stamp = :stamp")
                    .expressionAttributeValues(Map.of(":stamp", Items.text(stamp.get())));
        } else {
            request.conditionExpression("attribute_not_exists(pk)");
        }
        askTable(c -> c.putItem(request.build()));
    }

    /** Sets one attribute, whatever else the item has. */
    void set(Items.Key key, String attribute, String value) {
        askTable(c -> c.updateItem(r -> r.tableName(endpoint.table())
                .key(key.attributes())
                .updateExpression("SET #a = :a, #e = :e")
                .expressionAttributeNames(Map.of("#a", attribute, "#e", Items.EXPIRES))
                .expressionAttributeValues(Map.of(":a", Items.text(value), ":e", Items.expiry()))));
    }

    /** Which table this is: asked once, and again after {@link #doubt}. Creates a missing table if that is allowed. */
    Identity identity() {
        Identity known = identity;
        return known == null ? identifyOnce() : known;
    }

    /** After a failure: the table may be another one now, or gone. */
    void doubt() {
        identity = null;
    }

    /** Asks again which table it is. If that fails, it counts as the same: perhaps only {@code DescribeTable} is unavailable. */
    void lookAgain() {
        try {
            identify();
        } catch (ResourceNotFoundException e) {
            doubt();
            throw e;
        } catch (SdkException e) {
            log.debug("DynamoDB, {}: DescribeTable failed", endpoint.where(), e);
        }
    }

    /** One thread at a time asks, and creates the table; the others use its result. */
    private Identity identifyOnce() {
        naming.lock();
        try {
            Identity known = identity;
            return known == null ? identify() : known;
        } finally {
            naming.unlock();
        }
    }

    private Identity identify() {
        Identity found;
        try {
            found = identityOf(describe());
        } catch (ResourceNotFoundException e) {
            if (!endpoint.createTable()) {
                throw e;
            }
            found = create();
        } catch (AwsServiceException e) {
            if (e.awsErrorDetails() == null
                    || !"AccessDeniedException".equals(e.awsErrorDetails().errorCode())) {
                throw e;
            }
            warnOfDenial();
            Identity known = identity;
            found = known == null ? UNKNOWN : known; // losing the permission does not make it another table
        }
        identity = found;
        return found;
    }

    /** Warns once: the table is asked for with every heartbeat. */
    private void warnOfDenial() {
        if (warnedOfDenial.compareAndSet(false, true)) {
            log.warn(
                    "DynamoDB, {}: dynamodb:DescribeTable is not permitted, so a table that was restored from a backup"
                            + " is not noticed at once. Permit it",
                    endpoint.where());
        }
    }

    private DescribeTableResponse describe() {
        return ask(c -> c.describeTable(r -> r.tableName(endpoint.table())));
    }

    /** The table's age is measured by DynamoDB's own clock, which dates every answer, and not by an instance's clock. */
    private Identity identityOf(DescribeTableResponse answer) {
        TableDescription table = answer.table();
        String id = table.tableId() == null ? String.valueOf(table.creationDateTime()) : table.tableId();
        Optional<Instant> now =
                answer.sdkHttpResponse().firstMatchingHeader("Date").flatMap(DynamoTable::instant);
        boolean isOld = now.isPresent()
                && table.creationDateTime() != null
                && Duration.between(table.creationDateTime(), now.get()).compareTo(timeToLive.plusSeconds(2)) > 0;
        return new Identity(id, isOld);
    }

    private static Optional<Instant> instant(String date) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private Identity create() {
        boolean mine = false;
        try {
            ask(c -> c.createTable(r -> r.tableName(endpoint.table())
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .attributeDefinitions(attribute(Items.PARTITION), attribute(Items.SORT))
                    .keySchema(key(Items.PARTITION, KeyType.HASH), key(Items.SORT, KeyType.RANGE))));
            log.info("DynamoDB, {}: created the table", endpoint.where());
            mine = true;
        } catch (ResourceInUseException e) {
            log.info("DynamoDB, {}: another instance creates the table", endpoint.where());
        }
        DescribeTableResponse made = describe();
        while (made.table().tableStatus() == TableStatus.CREATING) {
            Pauses.sleep(CREATION_CHECK);
            made = describe();
        }
        if (mine) {
            enableExpiry();
        }
        return identityOf(made);
    }

    private static AttributeDefinition attribute(String name) {
        return AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(ScalarAttributeType.S)
                .build();
    }

    private static KeySchemaElement key(String name, KeyType type) {
        return KeySchemaElement.builder().attributeName(name).keyType(type).build();
    }

    /** Only the size of the table depends on it. */
    private void enableExpiry() {
        try {
            ask(c -> c.updateTimeToLive(r -> r.tableName(endpoint.table())
                    .timeToLiveSpecification(t -> t.enabled(true).attributeName(Items.EXPIRES))));
        } catch (AwsServiceException e) {
            log.warn(
                    "DynamoDB, {}: could not enable the time to live of items: {}. Enable it on attribute '{}',"
                            + " or items of instances that are gone stay in the table",
                    endpoint.where(),
                    e.getMessage(),
                    Items.EXPIRES);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (client != null) {
            Objects.requireNonNull(client).close();
        }
    }
}
