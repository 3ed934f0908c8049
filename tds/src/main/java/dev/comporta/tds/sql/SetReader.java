package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.Keyword;
import dev.comporta.tds.sql.word.TextArena;
import dev.comporta.tds.sql.word.Token;
import dev.comporta.tds.sql.word.TokenText;
import dev.comporta.tds.sql.word.WordTable;
import org.jspecify.annotations.Nullable;

/** Reads a SET statement up to the value, and notes the options that it changes. Belongs to one scanner. */
@SuppressWarnings("EnumOrdinal") // a bit per option, never stored nor sent
final class SetReader {
    private enum State {
        OPTION,
        NEXT_OPTION,
        STATISTICS,
        SWITCH,
        NUMBER,
        NUMBER_OR_WORD,
        SIGNED_NUMBER,
        NAME,
        TRANSACTION,
        ISOLATION,
        LEVEL,
        LEVEL_READ,
        LEVEL_REPEATABLE,
        TABLE,
        WORDS
    }

    private static final WordTable<SetOption> OPTIONS = options();
    private static final WordTable<SetOption> STATISTICS = new WordTable<SetOption>(8)
            .put("IO", SetOption.STATISTICS_IO)
            .put("PROFILE", SetOption.STATISTICS_PROFILE)
            .put("TIME", SetOption.STATISTICS_TIME)
            .put("XML", SetOption.STATISTICS_XML);
    private static final SetOption[] BY_ORDINAL = SetOption.values();

    private static final long CONTRADICTORY = bit(SetOption.ANSI_NULL_DFLT_ON) | bit(SetOption.ANSI_NULL_DFLT_OFF);

    private final TokenText text;
    private final SqlFindings findings;
    private State state = State.OPTION;
    /** The options of one statement, by ordinal: {@code SET a, b ON} sets them at once, so they have no order. */
    private long listed;

    private boolean ofStatistics;
    private boolean isCertain;
    /** An option of this text may have stopped execution: then only options of that kind still take effect. */
    private boolean isStopped;

    private boolean isInner;
    private int targetStart;
    private boolean overflowed;

    SetReader(TokenText text, SqlFindings findings) {
        this.text = text;
        this.findings = findings;
    }

    void startText(Scope scope) {
        isInner = scope == Scope.INNER;
        isStopped = false;
    }

    void start(boolean certain) {
        state = State.OPTION;
        listed = 0;
        ofStatistics = false;
        isCertain = certain;
        overflowed = false;
    }

    /** Whether there were more, or longer, options than the scanner keeps. */
    boolean overflowed() {
        return overflowed;
    }

    /** Whether an option of this text may have stopped execution. */
    boolean isStopped() {
        return isStopped;
    }

    /** Whether this names an option that takes effect when the text is parsed, executed or not. */
    static boolean worksWhileParsing(TokenText name) {
        @Nullable SetOption option = OPTIONS.find(name);
        return option != null && option.worksWhileParsing();
    }

    Step accept(Token token, Keyword keyword) {
        return switch (state) {
            case OPTION, NEXT_OPTION -> token == Token.WORD ? option(keyword) : Step.UNKNOWN;
            case STATISTICS -> token == Token.WORD ? list(STATISTICS.find(text)) : Step.UNKNOWN;
            case SWITCH -> afterSwitch(token, keyword);
            case NUMBER, NUMBER_OR_WORD, SIGNED_NUMBER, NAME -> value(token);
            case TRANSACTION -> expect(keyword, Keyword.ISOLATION, State.ISOLATION);
            case ISOLATION -> expect(keyword, Keyword.LEVEL, State.LEVEL);
            case LEVEL -> level(keyword);
            case LEVEL_READ -> levelRead(keyword);
            case LEVEL_REPEATABLE -> keyword == Keyword.READ ? note("REPEATABLE READ") : Step.UNKNOWN;
            case TABLE -> table(token, keyword);
            case WORDS -> words(token, keyword);
        };
    }

    private Step option(Keyword keyword) {
        if (keyword == Keyword.STATISTICS) {
            ofStatistics = true;
            state = State.STATISTICS;
            return Step.MORE;
        }
        if (keyword == Keyword.TRANSACTION || keyword == Keyword.TRAN) {
            listed = bit(SetOption.TRANSACTION_ISOLATION_LEVEL);
            state = State.TRANSACTION;
            return Step.MORE;
        }
        @Nullable SetOption option = OPTIONS.find(text);
        if (state == State.NEXT_OPTION && option != null && option.form() != SetOption.Form.SWITCH) {
            return Step.UNKNOWN;
        }
        return list(option);
    }

    private Step list(@Nullable SetOption option) {
        if (option == null) {
            return Step.UNKNOWN;
        }
        listed |= bit(option);
        targetStart = findings.arena().end();
        state = switch (option.form()) {
            case SWITCH -> State.SWITCH;
            case NUMBER -> State.NUMBER;
            case NUMBER_OR_WORD -> State.NUMBER_OR_WORD;
            case NAME -> State.NAME;
            case LEVEL -> State.TRANSACTION;
            case TABLE_SWITCH -> State.TABLE;
            case WORDS_SWITCH -> State.WORDS;
        };
        return Step.MORE;
    }

    private Step afterSwitch(Token token, Keyword keyword) {
        if (token == Token.COMMA) {
            state = ofStatistics ? State.STATISTICS : State.NEXT_OPTION;
            return Step.MORE;
        }
        return keyword == Keyword.ON ? note("ON") : keyword == Keyword.OFF ? note("OFF") : Step.UNKNOWN;
    }

    private Step value(Token token) {
        return switch (token) {
            case MINUS, PLUS -> sign(token);
            case NUMBER -> state == State.NAME ? Step.UNKNOWN : noteText(true);
            case WORD -> state == State.NAME || state == State.NUMBER_OR_WORD ? noteText(true) : Step.UNKNOWN;
            case STRING, DELIMITED -> state == State.NAME ? noteText(true) : Step.UNKNOWN;
            case VARIABLE -> noteText(false);
            default -> Step.UNKNOWN;
        };
    }

    private Step sign(Token token) {
        if (state == State.NAME || state == State.SIGNED_NUMBER) {
            return Step.UNKNOWN;
        }
        state = State.SIGNED_NUMBER;
        if (token == Token.MINUS) {
            overflowed |= !findings.arena().append('-');
        }
        return Step.MORE;
    }

    private Step expect(Keyword keyword, Keyword expected, State next) {
        if (keyword != expected) {
            return Step.UNKNOWN;
        }
        state = next;
        return Step.MORE;
    }

    private Step level(Keyword keyword) {
        return switch (keyword) {
            case READ -> {
                state = State.LEVEL_READ;
                yield Step.MORE;
            }
            case REPEATABLE -> {
                state = State.LEVEL_REPEATABLE;
                yield Step.MORE;
            }
            case SNAPSHOT -> note("SNAPSHOT");
            case SERIALIZABLE -> note("SERIALIZABLE");
            default -> Step.UNKNOWN;
        };
    }

    private Step levelRead(Keyword keyword) {
        return switch (keyword) {
            case COMMITTED -> note("READ COMMITTED");
            case UNCOMMITTED -> note("READ UNCOMMITTED");
            default -> Step.UNKNOWN;
        };
    }

    private Step table(Token token, Keyword keyword) {
        return switch (token) {
            case WORD -> keyword == Keyword.ON || keyword == Keyword.OFF ? afterSwitch(token, keyword) : target();
            case DELIMITED -> target();
            case DOT -> {
                overflowed |= !findings.arena().append('.');
                yield Step.MORE;
            }
            default -> Step.UNKNOWN;
        };
    }

    /** OFFSETS lists keywords, some of which begin statements. */
    private Step words(Token token, Keyword keyword) {
        if (token == Token.COMMA) {
            return Step.MORE;
        }
        if (token != Token.WORD) {
            return Step.UNKNOWN;
        }
        return keyword == Keyword.ON || keyword == Keyword.OFF ? afterSwitch(token, keyword) : target();
    }

    private Step target() {
        overflowed |= text.isTooLong() || !findings.arena().append(text);
        return Step.MORE;
    }

    private Step noteText(boolean constant) {
        overflowed |= text.isTooLong() || !findings.arena().append(text);
        note(findings.arena().sliceFrom(targetStart), TextArena.EMPTY, constant);
        return Step.LAST;
    }

    private Step note(String value) {
        TextArena arena = findings.arena();
        long target = hasTarget() ? arena.sliceFrom(targetStart) : TextArena.EMPTY;
        int start = arena.end();
        overflowed |= !arena.append(value);
        note(arena.sliceFrom(start), target, true);
        return Step.LAST;
    }

    private void note(long value, long target, boolean constant) {
        // The two can't both be ON, and which one wins is not documented.
        boolean contradicts = (listed & CONTRADICTORY) == CONTRADICTORY;
        for (long rest = listed; rest != 0; rest &= rest - 1) {
            SetOption option = BY_ORDINAL[Long.numberOfTrailingZeros(rest)];
            boolean certain = isCertain && !contradicts && (!isStopped || option.stopsExecution());
            if (isInner || !constant || !certain || !Harmless.isOption(option)) {
                findings.mayLeave();
            }
            if (option == SetOption.IDENTITY_INSERT && !findings.arena().same(value, "OFF")) {
                findings.add(Finding.SETS_IDENTITY_INSERT);
            }
            if (isInner) {
                findings.add(Finding.SETS_OPTION_INSIDE);
                if (option == SetOption.IMPLICIT_TRANSACTIONS || option == SetOption.ANSI_DEFAULTS) {
                    findings.add(Finding.SETS_IMPLICIT_INSIDE);
                }
            }
            if (!isInner || option == SetOption.CONTEXT_INFO) {
                overflowed |= !findings.addSet(option, value, target, constant, certain);
            }
        }
        isStopped |= anyStopsExecution() && !findings.arena().same(value, "OFF");
    }

    private boolean hasTarget() {
        return state == State.TABLE || state == State.WORDS;
    }

    private boolean anyStopsExecution() {
        for (long rest = listed; rest != 0; rest &= rest - 1) {
            if (BY_ORDINAL[Long.numberOfTrailingZeros(rest)].stopsExecution()) {
                return true;
            }
        }
        return false;
    }

    private static long bit(SetOption option) {
        return 1L << option.ordinal();
    }

    private static WordTable<SetOption> options() {
        WordTable<SetOption> table = new WordTable<>(SetOption.values().length);
        for (SetOption option : SetOption.values()) {
            if (!option.name().startsWith("STATISTICS_") && option != SetOption.TRANSACTION_ISOLATION_LEVEL) {
                table.put(option.name(), option);
            }
        }
        return table;
    }
}
