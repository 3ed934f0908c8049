/** The fleet's books in DynamoDB, by compare-and-set. {@code docs/dynamodb.md} describes the table and the protocol. */
@NullMarked
package dev.comporta.lease.dynamodb;

import org.jspecify.annotations.NullMarked;
