/** Tokens for logins at Aurora DSQL, signed with the AWS SDK. */
@NullMarked
package dev.comporta.jdbc.dsql;

import org.jspecify.annotations.NullMarked;
