package dev.comporta.standin.engine.run;

/** CurCmd of DONE tokens. */
final class Command {
    static final int SET_OPTION = 0xB9;
    static final int SELECT = 0xC1;
    static final int INSERT = 0xC3;
    static final int DELETE = 0xC4;
    static final int UPDATE = 0xC5;
    static final int CREATE_TABLE = 0xC6;
    static final int BEGIN = 0xD4;
    static final int EXECUTE = 0xE0;
    static final int PRINT = 0xF7;

    /** What Babelfish says of most statements. */
    static final int OF_BABELFISH = 0x02;

    private Command() {}
}
