/** A DynamoDB for tests of several modules. */
package dev.comporta.lease.dynamodb.testkit;
