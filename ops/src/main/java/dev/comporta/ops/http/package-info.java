/** Requests, responses and what answers them, without regard to which server carries them. */
@NullMarked
package dev.comporta.ops.http;

import org.jspecify.annotations.NullMarked;
