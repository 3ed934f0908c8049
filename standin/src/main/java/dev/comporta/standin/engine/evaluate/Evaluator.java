package dev.comporta.standin.engine.evaluate;

import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.ast.Condition;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.query.Rendered;
import dev.comporta.standin.engine.query.Renderer;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.type.TextForm;
import dev.comporta.standin.engine.type.TypedValue;
import dev.comporta.standin.engine.type.Types;
import org.jspecify.annotations.Nullable;

/** Evaluates expressions and conditions outside of queries. */
public record Evaluator(Session session) {
    /** The value, converted to the given type. */
    @Nullable
    public Object value(Expr expr, SqlType type, Frame frame) {
        return run(Renderer.scalar(expr, type, new SessionEnvironment(session, frame)), frame);
    }

    /** The value in the expression's own type. */
    public TypedValue typed(Expr expr, Frame frame) {
        Rendered rendered = Renderer.scalar(expr, null, new SessionEnvironment(session, frame));
        return new TypedValue(rendered.columns().getFirst().type(), run(rendered, frame));
    }

    /** The value as text; NULL is empty. */
    public String text(Expr expr, Frame frame) {
        TypedValue value = typed(expr, frame);
        return value.value() == null ? "" : TextForm.of(value.value(), value.type(), -1);
    }

    public int integer(Expr expr, Frame frame) {
        return value(expr, Types.INT, frame) instanceof Integer number ? number : 0;
    }

    public boolean holds(Condition condition, Frame frame) {
        Rendered rendered = Renderer.condition(condition, new SessionEnvironment(session, frame));
        return run(rendered, frame) instanceof Integer number && number == 1;
    }

    private @Nullable Object run(Rendered rendered, Frame frame) {
        @Nullable Object[] result = new @Nullable Object[1];
        session.query(frame, rendered, values -> {
            result[0] = values[0];
            return false;
        });
        return result[0];
    }
}
