/** What is not TDS, or only nearly: sent from outside, to a server that has other things to do. */
@NullMarked
package dev.comporta.e2e.badinput;

import org.jspecify.annotations.NullMarked;
