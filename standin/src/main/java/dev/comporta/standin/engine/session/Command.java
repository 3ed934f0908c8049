package dev.comporta.standin.engine.session;

/** CurCmd of DONE tokens. */
public final class Command {
    public static final int SET_OPTION = 0xB9;
    public static final int SELECT = 0xC1;
    public static final int INSERT = 0xC3;
    public static final int DELETE = 0xC4;
    public static final int UPDATE = 0xC5;
    public static final int CREATE_TABLE = 0xC6;
    public static final int BEGIN = 0xD4;
    public static final int EXECUTE = 0xE0;
    public static final int PRINT = 0xF7;

    /** Babelfish's command for most statements. */
    public static final int OF_BABELFISH = 0x02;

    private Command() {}
}
