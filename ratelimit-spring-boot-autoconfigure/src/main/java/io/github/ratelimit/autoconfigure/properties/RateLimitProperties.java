package io.github.ratelimit.autoconfigure.properties;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.http.RateLimitHeaders;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.spring.event.DenialLogLevel;
import io.github.ratelimit.spring.method.RateLimitAdvisor;
import io.github.ratelimit.spring.redis.RedisStoreOptions;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The {@code ratelimit.*} properties.
 *
 * @param enabled Whether calls are limited at all.
 * @param mode Whether limits deny calls or, in shadow, only report them, whatever the
 * modes of policies are.
 * @param store Name of the store of the counters: redis, memory, or that of another
 * module. By default Redis if the application uses one, otherwise memory.
 * @param onStoreFailure Decision on a call if the store fails, unless its policy has its
 * own. By default each instance decides by its own counts.
 * @param localShare Percentage of each limit that an instance admits on its own while the
 * store fails, with on-store-failure: local. With auto, the limit is divided by the
 * number of instances.
 * @param annotationOrder Order of the advice of limited methods among other advice, the
 * lowest being outermost.
 * @param observeDecisions Whether each decision of the store is an observation of its
 * own, ratelimit.decision.
 * @param reloadInterval Time between two looks for changed configuration files. By
 * default they are read at the start alone.
 * @param policySource Policies and rules from a PolicySource bean.
 * @param tenant Keys of which the first that resolves names the tenant of a call, for the
 * key tenant: such as claim:tenant, header:X-Tenant.
 * @param memory Memory store.
 * @param redis Redis store.
 * @param http HTTP requests and responses.
 * @param overrides Limits of single callers.
 * @param nearLimit Percentage of a limit from which an admitted call is near it, for the
 * outcome near_limit and the event RateLimitApproached. By default there are none.
 * @param events Application events and log lines about decisions.
 * @param top Keys that are denied most and spend most.
 * @param consumption Delivery of what keys have spent to a ConsumptionSink bean.
 * @param checks Checks of the use of rate limits.
 * @param usage Endpoint that shows callers their own limits.
 * @param clients Policies of outbound calls by HTTP service group.
 * @param login Policies that limit wrong passwords around Spring Security's form login,
 * HTTP basic and one-time tokens.
 * @param policies Policies by name.
 * @param rules Rules that limit requests, whatever serves them.
 */
@ConfigurationProperties(RateLimitProperties.PREFIX)
@SuppressWarnings("checkstyle:RecordComponentNumber") // one for each property of the
														// group
public record RateLimitProperties(@DefaultValue("true") boolean enabled, @DefaultValue("enforce") Mode mode,
		@Nullable String store, @DefaultValue("local") OnStoreFailure onStoreFailure,
		@DefaultValue("100") String localShare, @DefaultValue("" + RateLimitAdvisor.ORDER) int annotationOrder,
		@DefaultValue("false") boolean observeDecisions, @Nullable Duration reloadInterval,
		@DefaultValue Source policySource, @DefaultValue List<String> tenant, @DefaultValue Memory memory,
		@DefaultValue Redis redis, @DefaultValue Http http, @DefaultValue Overrides overrides,
		@DefaultValue List<String> nearLimit, @DefaultValue Events events, @DefaultValue Top top,
		@DefaultValue Consumption consumption, @DefaultValue Checks checks, @DefaultValue Usage usage,
		@DefaultValue Map<String, String> clients, @DefaultValue Login login,
		@DefaultValue Map<String, PolicyProperties> policies, @DefaultValue List<RuleProperties> rules) {

	/** The prefix of all properties. */
	public static final String PREFIX = "ratelimit";

	/** Creates the properties, with each policy under one name and with its key. */
	public RateLimitProperties {
		policies = login.keyed(PolicyNames.distinct(policies));
	}

	/** Returns these properties with other policies and rules. */
	RateLimitProperties with(Map<String, PolicyProperties> policies, List<RuleProperties> rules) {
		return new RateLimitProperties(this.enabled, this.mode, this.store, this.onStoreFailure, this.localShare,
				this.annotationOrder, this.observeDecisions, this.reloadInterval, this.policySource, this.tenant,
				this.memory, this.redis, this.http, this.overrides, this.nearLimit, this.events, this.top,
				this.consumption, this.checks, this.usage, this.clients, this.login, policies, rules);
	}

	/**
	 * The effects of all limits.
	 */
	public enum Mode {

		/** Limits deny calls, as their policies say. */
		ENFORCE,

		/** Limits are counted and reported, and deny nothing. */
		SHADOW

	}

	/**
	 * Policies and rules from a PolicySource bean.
	 *
	 * @param interval Time between two times at which the bean is asked.
	 */
	public record Source(@DefaultValue("30s") Duration interval) {

	}

	/**
	 * The memory store.
	 *
	 * @param maxKeys Number of counters to keep. Beyond it, new keys evict counters that
	 * spent little, or share counters.
	 * @param maxLogSize Memory for sliding-window-logs of more than 8 entries. Beyond it,
	 * they become coarser. By default an eighth of the heap.
	 */
	public record Memory(@DefaultValue("" + MemoryRateLimitStore.STANDARD_KEYS) int maxKeys,
			@Nullable DataSize maxLogSize) {

	}

	/**
	 * The Redis store.
	 *
	 * @param connectionFactory Name of the RedisConnectionFactory bean to use. By default
	 * the only one, or the primary one.
	 * @param timeout Time to wait for a decision.
	 * @param connectTimeout Time to wait for the limiter's dedicated connection.
	 * @param dedicatedConnection Whether the limiter has a dedicated connection to the
	 * application's Redis.
	 * @param failFast Whether the application refuses to start without Redis.
	 * @param keyPrefix Prefix of every key in Redis. By default ratelimit, followed by a
	 * colon and the application's name if it has one.
	 * @param coalesce Whether concurrent calls are decided together.
	 * @param denialCache Cache of denials.
	 * @param controls Whether controls that operators set are kept in Redis, for all
	 * instances.
	 */
	@SuppressWarnings("checkstyle:RecordComponentNumber") // one for each property of the
															// group
	public record Redis(@Nullable String connectionFactory, @DefaultValue("100ms") Duration timeout,
			@DefaultValue("500ms") Duration connectTimeout, @DefaultValue("true") boolean dedicatedConnection,
			@DefaultValue("false") boolean failFast, @Nullable String keyPrefix, @DefaultValue("true") boolean coalesce,
			@DefaultValue DenialCache denialCache, @DefaultValue("true") boolean controls) {

	}

	/**
	 * A cache of denials, which saves round trips while they are valid.
	 *
	 * @param enabled Whether denials are cached.
	 * @param maxKeys Number of keys whose latest denial is cached.
	 * @param maxAge Time after which a denial expires, as another instance may have
	 * refunded or reset the counter.
	 */
	public record DenialCache(@DefaultValue("true") boolean enabled,
			@DefaultValue("" + RedisStoreOptions.STANDARD_DENIALS) int maxKeys,
			@DefaultValue(RedisStoreOptions.STANDARD_DENIAL_SECONDS + "s") Duration maxAge) {

	}

	/**
	 * HTTP requests and responses.
	 *
	 * @param headers Headers that report the limits, on every response to a limited
	 * request.
	 * @param retryAfterJitter Longest random time that is added to Retry-After, so that
	 * clients do not all return at once.
	 * @param bannedStatus Status of the response to a banned caller, 403 or 429.
	 * @param trustedProxies Addresses and CIDR ranges of proxies whose Forwarded and
	 * X-Forwarded-For headers are trusted.
	 * @param ipv6Prefix Number of bits of an IPv6 address that identify a client, from 48
	 * to 128.
	 * @param clientAddressHeader Header in which every trusted proxy passes on the
	 * client's address alone, such as CF-Connecting-IP. Read from trusted proxies only.
	 */
	public record Http(@DefaultValue("draft-11") RateLimitHeaders headers,
			@DefaultValue("0s") Duration retryAfterJitter, @DefaultValue("403") int bannedStatus,
			@DefaultValue List<String> trustedProxies, @DefaultValue("64") int ipv6Prefix,
			@Nullable String clientAddressHeader) {

	}

	/**
	 * Limits of single callers, from a LimitOverrides bean.
	 *
	 * @param expireAfterWrite Time after which the limits of a caller are looked up
	 * again.
	 * @param maxKeys Number of callers whose limits are cached.
	 * @param timeout Time to wait for the bean. After it, the last known limits of the
	 * caller apply, or those of the plan.
	 * @param maxLookups Number of concurrent lookups.
	 */
	public record Overrides(@DefaultValue("1m") Duration expireAfterWrite, @DefaultValue("10000") long maxKeys,
			@DefaultValue("500ms") Duration timeout, @DefaultValue("8") int maxLookups) {

	}

	/**
	 * Application events and log lines about decisions.
	 *
	 * @param enabled Whether RateLimitDenied, RateLimitShadowDenied and
	 * RateLimitApproached are published and logged.
	 * @param interval Time between two events, or log lines, of the same key.
	 * @param logDenials Level of the log lines about denials, in shadow too, and about
	 * calls near their limit.
	 */
	public record Events(@DefaultValue("false") boolean enabled, @DefaultValue("10s") Duration interval,
			@DefaultValue("debug") DenialLogLevel logDenials) {

	}

	/**
	 * Keys that are denied most and spend most, in the ratelimits endpoint.
	 *
	 * @param enabled Whether they are counted, if the endpoint is exposed.
	 * @param showKeys Whether the endpoint shows keys, rather than digests of keys.
	 */
	public record Top(@DefaultValue("true") boolean enabled, @DefaultValue("false") boolean showKeys) {

	}

	/**
	 * Delivery of what keys have spent to a ConsumptionSink bean. Without one, nothing is
	 * counted.
	 *
	 * @param interval Length of the intervals whose sums are delivered: whole minutes, of
	 * which a day has a whole number.
	 * @param maxKeys Number of keys of an interval that have sums of their own. Further
	 * keys share one for each policy.
	 * @param maxPending Number of records that wait for a delivery. Beyond it, the oldest
	 * are lost.
	 * @param showKeys Whether records have keys, rather than digests of keys.
	 */
	public record Consumption(@DefaultValue("1m") Duration interval, @DefaultValue("10000") int maxKeys,
			@DefaultValue("100000") int maxPending, @DefaultValue("false") boolean showKeys) {

	}

	/**
	 * Checks of the use of rate limits, at the start and while the application runs.
	 *
	 * @param ignore Findings to ignore, each an identifier such as unused-policy, or one
	 * with a subject such as unused-policy:mails.
	 */
	public record Checks(@DefaultValue List<String> ignore) {

	}

	/**
	 * An endpoint that shows callers their own limits and what is left of them.
	 *
	 * @param path Path of the endpoint. By default there is none.
	 * @param policies Policies to show. By default all whose keys tell callers apart.
	 */
	public record Usage(@Nullable String path, @DefaultValue List<String> policies) {

	}

	/**
	 * The limits of wrong passwords.
	 *
	 * @param account Name of the policy that limits wrong passwords of an account.
	 * Without a key of its own, the policy has the key #account.
	 * @param address Name of the policy that limits wrong passwords, and wrong one-time
	 * tokens, from an address. Without a key of its own, the policy has the key
	 * client-ip.
	 * @param resetOnSuccess Whether a right password resets what wrong ones of the
	 * account have spent, but for HTTP basic. Accounts whose names count alike can reset
	 * one another.
	 */
	public record Login(@Nullable String account, @Nullable String address,
			@DefaultValue("false") boolean resetOnSuccess) {

		/** Returns policies of which those of logins have a key. */
		Map<String, PolicyProperties> keyed(Map<String, PolicyProperties> policies) {
			Map<String, PolicyProperties> keyed = new LinkedHashMap<>(policies);
			keyed.computeIfPresent(String.valueOf(this.account), (name, policy) -> policy.keyedBy("#account"));
			keyed.computeIfPresent(String.valueOf(this.address), (name, policy) -> policy.keyedBy("client-ip"));
			return keyed;
		}

	}

	/**
	 * A rule.
	 *
	 * @param paths Patterns, one of which the path of a request must match.
	 * @param except Patterns of paths to which the rule does not apply.
	 * @param methods HTTP methods of requests, by default any. GET includes HEAD.
	 * @param when Expression over the #request and its #user that must not be false.
	 * @param policies Policies to charge.
	 * @param cost Permits that a request costs or reserves, a number or an expression.
	 * @param actual Expression for what a request turned out to cost, such as
	 * #response.size / 1024.
	 * @param chargeWhen Expression over the #response or #error of requests that pay.
	 * @param refundWhen Expression over the #response or #error of refunded requests.
	 * @param phase Whether it is decided before or after Spring Security.
	 */
	@ConfigurationPropertiesSource
	public record RuleProperties(@DefaultValue List<String> paths, @DefaultValue List<String> except,
			@DefaultValue List<String> methods, @Nullable String when, @DefaultValue List<String> policies,
			@DefaultValue(RuleProperties.STANDARD_COST) String cost, @Nullable String actual,
			@Nullable String chargeWhen, @Nullable String refundWhen, @DefaultValue("after-security") Phase phase) {

		/** The permits that a request costs if the rule has no cost of its own. */
		static final String STANDARD_COST = "1";

	}

}
