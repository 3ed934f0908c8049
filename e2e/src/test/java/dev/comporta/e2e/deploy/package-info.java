/** What is in deploy/, checked by the programs it is made for: promtool, HAProxy, Helm; and by what its files say of each other. */
@NullMarked
package dev.comporta.e2e.deploy;

import org.jspecify.annotations.NullMarked;
