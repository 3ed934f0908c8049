/** The logins in buckets.yaml: how clients prove who they are, and which login the server sees. */
@NullMarked
package dev.comporta.ops.config.auth;

import org.jspecify.annotations.NullMarked;
