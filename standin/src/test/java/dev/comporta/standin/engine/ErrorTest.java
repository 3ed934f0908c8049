package dev.comporta.standin.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each mistake with SQL Server's number, severity and text. */
final class ErrorTest extends EngineFixture {
    @BeforeEach
    void makeTables() {
        run("CREATE TABLE p (id int CONSTRAINT pk_p PRIMARY KEY, code varchar(5) CONSTRAINT uq_p UNIQUE,"
                + " age int CONSTRAINT ck_age CHECK (age >= 0), name varchar(5) NOT NULL)");
        run("CREATE TABLE c (id int, p int CONSTRAINT fk_c FOREIGN KEY REFERENCES p (id))");
        run("CREATE UNIQUE INDEX ix_c ON c (id)");
        run("INSERT p VALUES (1, 'a', 1, 'n'); INSERT c VALUES (1, 1)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', commentCharacter = '~', textBlock = """
        SELECT * FROM nosuch                 # error 208 16 line 1: Invalid object name 'nosuch'.
        SELECT nosuch FROM p                 # error 207 16 line 1: Invalid column name 'nosuch'.
        SELECT x.id FROM p                   # error 4104 16 line 1: The multi-part identifier "x.id" could not be bound.
        SELECT id FROM p a, p b              # error 209 16 line 1: Ambiguous column name 'id'.
        INSERT p VALUES (1, 'b', 1, 'n')     # error 2627 14 line 1: Violation of PRIMARY KEY constraint 'pk_p'. Cannot insert duplicate key in object 'dbo.p'. The duplicate key value is (1).
        INSERT p VALUES (2, 'A', 1, 'n')     # error 2627 14 line 1: Violation of UNIQUE KEY constraint 'uq_p'. Cannot insert duplicate key in object 'dbo.p'. The duplicate key value is (a).
        INSERT c VALUES (1, 1)               # error 2601 14 line 1: Cannot insert duplicate key row in object 'dbo.c' with unique index 'ix_c'. The duplicate key value is (1).
        INSERT p VALUES (2, 'b', 1, NULL)    # error 515 16 line 1: Cannot insert the value NULL into column 'name', table 'shop.dbo.p'; column does not allow nulls. INSERT fails.
        INSERT p VALUES (2, 'b', -1, 'n')    # error 547 16 line 1: The INSERT statement conflicted with the CHECK constraint "ck_age". The conflict occurred in database "shop", table "dbo.p".
        INSERT c VALUES (2, 9)               # error 547 16 line 1: The INSERT statement conflicted with the FOREIGN KEY constraint "fk_c". The conflict occurred in database "shop", table "dbo.p", column 'id'.
        DELETE p                             # error 547 16 line 1: The DELETE statement conflicted with the REFERENCE constraint "fk_c". The conflict occurred in database "shop", table "dbo.c", column 'p'.
        INSERT p VALUES (2, 'b', 1, 'toolong') # error 2628 16 line 1: String or binary data would be truncated in table 'shop.dbo.p', column 'name'. Truncated value: 'toolo'.
        SELECT 1/0                           # error 8134 16 line 1: Divide by zero error encountered.
        SELECT 2147483647 + 1                # error 8115 16 line 1: Arithmetic overflow error converting expression to data type int.
        SELECT CAST('x' AS int)              # error 245 16 line 1: Conversion failed when converting the varchar value 'x' to data type int.
        SELECT CAST('x' AS decimal(5,2))     # error 8114 16 line 1: Error converting data type varchar to numeric.
        SELECT CAST('x' AS datetime)         # error 241 16 line 1: Conversion failed when converting date and/or time from character string.
        SELECT CAST(300 AS tinyint)          # error 220 16 line 1: Arithmetic overflow error for data type tinyint, value = 300.
        SELECT nosuch(1)                     # error 195 15 line 1: 'NOSUCH' is not a recognized built-in function name.
        CREATE TABLE p (id int)              # error 2714 16 line 1: There is already an object named 'p' in the database.
        DROP TABLE nosuch                    # error 3701 11 line 1: Cannot drop the table 'nosuch', because it does not exist or you do not have permission.
        DROP TABLE p                         # error 3726 16 line 1: Could not drop object 'p' because it is referenced by a FOREIGN KEY constraint.
        USE nosuch                           # error 911 16 line 1: Database 'nosuch' does not exist. Make sure that the name is entered correctly.
        SELECT (SELECT id FROM c UNION ALL SELECT 2) # error 512 16 line 1: Subquery returned more than 1 value. This is not permitted when the subquery follows =, !=, <, <= , >, >= or when the subquery is used as an expression.
        SELECT 'abc                          # error 105 15 line 1: Unclosed quotation mark after the character string 'abc'.
        INSERT p (id) VALUES (1, 2)          # error 110 15 line 1: There are fewer columns in the INSERT statement than values specified in the VALUES clause. The number of values in the VALUES clause must match the number of columns specified in the INSERT statement.
        MERGE p USING c ON 1=1               # error 156 15 line 1: Incorrect syntax near the keyword 'MERGE'.
        """)
    void isReportedAsSqlServerDoes(String sql, String error) {
        assertThat(errors(sql)).containsExactly(error);
    }
}
