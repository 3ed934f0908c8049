@NullMarked
package dev.comporta.tds.packet;

import org.jspecify.annotations.NullMarked;
