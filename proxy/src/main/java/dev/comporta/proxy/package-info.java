/** The data plane: clients on one side, a bucket's pools of server connections on the other. */
@NullMarked
package dev.comporta.proxy;

import org.jspecify.annotations.NullMarked;
