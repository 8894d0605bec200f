package io.github.ratelimit.sample.docs.recipes;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.key.TypedName;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * The account of a login.
 */
@Profile("docs")
@Component
class TypedAccount implements KeyResolver {

	@Override
	public String resolve(CallContext call) {
		return TypedName.of(String.valueOf(call.arguments().get("name")));
	}

}
