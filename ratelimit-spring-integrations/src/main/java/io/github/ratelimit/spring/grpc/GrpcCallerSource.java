package io.github.ratelimit.spring.grpc;

import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.key.CallerSource;
import io.grpc.Context;

import org.springframework.core.Ordered;

/**
 * A source of the callers of gRPC calls. It reads the gRPC context of the thread. It
 * precedes sources that read what a servlet container binds, as a server of gRPC may run
 * in one.
 */
public final class GrpcCallerSource implements CallerSource, Ordered {

	private static final Context.Key<Caller> CALLER = Context.keyWithDefault("ratelimit-caller", Caller.NONE);

	@Override
	public Caller current() {
		return CALLER.get();
	}

	@Override
	public int getOrder() {
		return 0;
	}

	/** Returns the current context with a caller. */
	static Context contextOf(Caller caller) {
		return Context.current().withValue(CALLER, caller);
	}

}
