/** The topology of deploy/compose.yaml without containers: the same configuration, with other addresses. */
@NullMarked
package dev.comporta.e2e.topology;

import org.jspecify.annotations.NullMarked;
