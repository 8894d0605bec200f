package io.github.ratelimit.spring.login;

import java.time.Duration;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.key.TypedName;
import io.github.ratelimit.spring.charge.DoorContract;
import io.github.ratelimit.spring.key.TestResolvers;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;

/**
 * Logins with wrong passwords, whose clients go. Each password that was checked is
 * charged.
 */
class ReactiveLoginDoorTests extends DoorContract {

	private static final Authentication ALICE = UsernamePasswordAuthenticationToken.unauthenticated("alice", "guess");

	@Override
	protected Publisher<?> open(RateLimiter limiter, Supplier<Mono<String>> work) {
		LoginLimiter logins = new LoginLimiter(new LoginPolicies(new LoginPolicies.Names(SPENT, null, true),
				this.policies, TestResolvers.create(), TypedName::of), limiter, new MemoryRateLimitStore(10));
		return new LimitedReactiveAuthenticationManager((login) -> checked(work.get()), () -> logins)
			.authenticate(ALICE);
	}

	private static Mono<Authentication> checked(Mono<String> work) {
		return Mono.firstWithSignal(work, Mono.delay(Duration.ofMillis(1)).thenReturn("late"))
			.onErrorComplete()
			.then(Mono.error(new BadCredentialsException("wrong")));
	}

}
