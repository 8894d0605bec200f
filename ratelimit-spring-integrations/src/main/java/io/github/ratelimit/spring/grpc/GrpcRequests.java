package io.github.ratelimit.spring.grpc;

import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.charge.RequestSource;
import io.grpc.Context;

import org.springframework.core.Ordered;

/**
 * The charges of gRPC calls. They are found in the gRPC context of the thread, before
 * what a servlet container binds, as a server of gRPC may run in one.
 */
public final class GrpcRequests implements RequestSource, Ordered {

	private static final Context.Key<RequestCharges> CHARGES = Context.keyWithDefault("ratelimit-charges",
			RequestCharges.NONE);

	@Override
	public RequestCharges current() {
		return CHARGES.get();
	}

	@Override
	public int getOrder() {
		return 0;
	}

	/** Returns a context with the charges of a call. */
	static Context contextOf(Context context, RequestCharges charges) {
		return context.withValue(CHARGES, charges);
	}

}
