package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.MissingKey;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Policy;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.http.RateLimitHeaders;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What users configure.
 *
 * @param enabled Whether calls are limited at all.
 * @param store Where counts live. By default Redis if the application has a connection
 * factory, else memory.
 * @param onStoreFailure What becomes of a call that the store fails to decide, where its
 * policy does not say.
 * @param localShare Percentage of each limit that an instance admits on its own while the
 * store fails, with on-store-failure: local.
 * @param annotationOrder Order of the advice of limited methods among other advice, the
 * lowest being outermost.
 * @param memory Memory store.
 * @param redis Redis store.
 * @param http HTTP requests and the answers to them.
 * @param overrides Limits of single callers.
 * @param policies Policies by name.
 * @param rules Requests that are limited wherever they lead.
 */
@ConfigurationProperties(RateLimitProperties.PREFIX)
record RateLimitProperties(@DefaultValue("true") boolean enabled, @Nullable StoreType store,
		@DefaultValue("allow") OnStoreFailure onStoreFailure, @DefaultValue("100") int localShare,
		@DefaultValue("410") int annotationOrder, @DefaultValue Memory memory, @DefaultValue Redis redis,
		@DefaultValue Http http, @DefaultValue Overrides overrides,
		@DefaultValue Map<String, PolicyProperties> policies, @DefaultValue List<RuleProperties> rules) {

	static final String PREFIX = "ratelimit";

	/**
	 * The kinds of store.
	 */
	enum StoreType {

		/** Counts shared by every instance. */
		REDIS,

		/** Counts of each instance on its own. */
		MEMORY

	}

	/**
	 * The memory store.
	 *
	 * @param maxKeys Number of counts to keep; beyond it, new keys take the places of
	 * those who spent little, or share counts.
	 * @param maxLogSize Memory for sliding-window-logs of more than 8 entries; beyond it,
	 * they become coarser. If unset, an eighth of the heap.
	 */
	record Memory(@DefaultValue("100000") int maxKeys, @Nullable DataSize maxLogSize) {

	}

	/**
	 * The Redis store.
	 *
	 * @param timeout Time to wait for a decision.
	 * @param connectTimeout Time to wait for a connection of the limiter's own.
	 * @param dedicatedConnection Whether the limiter has a connection of its own to the
	 * application's Redis.
	 * @param failFast Whether the application refuses to start without Redis.
	 * @param keyPrefix What every key in Redis begins with. By default ratelimit, with a
	 * colon and the application's name where it has one.
	 * @param coalesce Whether calls that come at the same time are decided on together.
	 * @param denialCache Denials that are remembered while they hold.
	 */
	record Redis(@DefaultValue("100ms") Duration timeout, @DefaultValue("500ms") Duration connectTimeout,
			@DefaultValue("true") boolean dedicatedConnection, @DefaultValue("false") boolean failFast,
			@Nullable String keyPrefix, @DefaultValue("true") boolean coalesce, @DefaultValue DenialCache denialCache) {

	}

	/**
	 * Denials that are remembered while they hold, so that Redis need not be asked again.
	 *
	 * @param enabled Whether denials are remembered.
	 * @param maxKeys Number of keys to remember the latest denial of.
	 * @param maxAge Time after which Redis is asked again, as another instance may have
	 * given back or reset what was spent.
	 */
	record DenialCache(@DefaultValue("true") boolean enabled, @DefaultValue("16384") int maxKeys,
			@DefaultValue("1s") Duration maxAge) {

	}

	/**
	 * HTTP requests and the answers to them.
	 *
	 * @param headers Headers that tell of the limits, on every answer to a limited
	 * request.
	 * @param retryAfterJitter Most time that Retry-After adds at random, so that clients
	 * do not all come back at once.
	 * @param trustedProxies Addresses and CIDR ranges of the proxies that are believed
	 * where they tell a client's address in Forwarded or X-Forwarded-For.
	 * @param ipv6Prefix Number of bits of an IPv6 address that tell clients apart, from
	 * 48 to 128.
	 */
	record Http(@DefaultValue("draft-11") RateLimitHeaders headers, @DefaultValue("0s") Duration retryAfterJitter,
			@DefaultValue List<String> trustedProxies, @DefaultValue("64") int ipv6Prefix) {

	}

	/**
	 * Limits of single callers, of a LimitOverrides bean.
	 *
	 * @param expireAfterWrite Time after which the bean is asked again.
	 * @param maxKeys Number of callers to remember.
	 * @param timeout Time to wait for the bean, after which the caller's last known
	 * limits count, or else those of the plan.
	 * @param maxLookups Number of times that the bean is asked at once.
	 */
	record Overrides(@DefaultValue("1m") Duration expireAfterWrite, @DefaultValue("10000") long maxKeys,
			@DefaultValue("500ms") Duration timeout, @DefaultValue("8") int maxLookups) {

	}

	/**
	 * A rule.
	 *
	 * @param paths Patterns, of which the path of a request must match one.
	 * @param methods HTTP methods, of which a request's must be one; by default any. GET
	 * includes HEAD.
	 * @param when Expression over the #request that must hold too.
	 * @param policies Policies to charge.
	 * @param cost Permits that a request costs.
	 * @param phase Whether it is decided before or after Spring Security.
	 */
	record RuleProperties(@DefaultValue List<String> paths, @DefaultValue List<String> methods, @Nullable String when,
			@DefaultValue List<String> policies, @DefaultValue("1") long cost,
			@DefaultValue("after-security") Phase phase) {

	}

	/**
	 * A policy.
	 *
	 * @param limits Permits per period, such as 100/1m; all of several apply. A limit may
	 * name an algorithm, a burst and an alignment of its own: 10/1s fixed-window, 10/1s
	 * burst 20, 1000/1d fixed-window align day zone Asia/Tokyo.
	 * @param algorithm How limits are decided that name no algorithm.
	 * @param burst Most permits that can be spent at once. By default those of one
	 * period.
	 * @param align Unit of the calendar that windows of a fixed-window begin with:
	 * minute, hour, day, week or month. By default they begin with a first call.
	 * @param zone Time zone of the calendar.
	 * @param key Who is limited, the first that answers: client-ip, principal,
	 * header:NAME, global, bean:NAME or an expression that starts with #.
	 * @param onMissingKey What becomes of a call for which no key answers.
	 * @param maxWait Longest time that a call waits in line for its permits; zero denies
	 * at once.
	 * @param maxWaiting Most threads of an instance that wait in line at once; a call
	 * beyond them is denied at once.
	 * @param maxCost Most permits that a call may cost.
	 * @param aboveMaxCost What becomes of a call that costs more.
	 * @param shares Name of the policy whose limits and counts are used, in place of
	 * limits.
	 * @param reserve Part of the shared policy's burst that must be left when a call is
	 * admitted, such as 20%.
	 * @param mode What the limits do: deny calls that do not fit, tell of them only, or
	 * nothing.
	 * @param candidate Limits to be tried in shadow beside the others, for callers
	 * without a plan.
	 * @param plan Word that answers the name of a caller's plan: bean:NAME, header:NAME,
	 * principal or an expression that starts with #.
	 * @param plans Limits of callers with a plan, by its name: one in the place of each
	 * of the policy's.
	 * @param planModes What the limits of a plan do, by its name. By default as the
	 * policy's.
	 * @param exempt Callers whom the policy does not limit: ip:RANGE, role:NAME,
	 * principal:NAME, header:NAME:VALUE, bean:NAME:KEY or an expression that starts with
	 * #.
	 * @param blocked Callers whose calls the policy refuses, in the same words.
	 * @param onStoreFailure What becomes of a call that the store fails to decide. By
	 * default what ratelimit.on-store-failure says.
	 * @param localShare Percentage of each limit that an instance admits on its own while
	 * the store fails. By default ratelimit.local-share.
	 * @param lease Permits that an instance takes in advance for a key that is busy, to
	 * spend them without asking Redis.
	 */
	record PolicyProperties(@DefaultValue List<String> limits, @DefaultValue("token-bucket") Algorithm algorithm,
			@Nullable Long burst, @Nullable String align, @DefaultValue("UTC") String zone,
			@DefaultValue(Policy.EVERYONE) List<String> key, @DefaultValue("shared") MissingKey onMissingKey,
			@DefaultValue("0s") Duration maxWait, @DefaultValue("64") int maxWaiting, @Nullable Long maxCost,
			@DefaultValue("refuse") AboveMaxCost aboveMaxCost, @Nullable String shares, @Nullable String reserve,
			@DefaultValue("enforce") Mode mode, @DefaultValue List<String> candidate, @Nullable String plan,
			@DefaultValue Map<String, List<String>> plans, @DefaultValue Map<String, Mode> planModes,
			@DefaultValue List<String> exempt, @DefaultValue List<String> blocked,
			@Nullable OnStoreFailure onStoreFailure, @Nullable Integer localShare, @DefaultValue("0") long lease) {

		/**
		 * What becomes of a call that costs more than a policy allows.
		 */
		enum AboveMaxCost {

			/** It is charged the most that is allowed. */
			CLAMP,

			/** It is refused, and charged nothing. */
			REFUSE

		}

	}

}
