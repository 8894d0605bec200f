package io.github.ratelimit.spring.finding;

import java.util.Locale;

/**
 * A likely mistake in the use of rate limits. It does not stop the application.
 *
 * @param kind the kind of mistake
 * @param subject the policy, property, method or path that it is about
 * @param message the mistake and its remedy, in sentences
 */
public record Finding(Kind kind, String subject, String message) {

	/**
	 * The kinds of findings. The documentation has a section for each.
	 */
	public enum Kind {

		/** A property below the prefix that does not exist. */
		UNKNOWN_PROPERTY,

		/** A duration that is a plain number, and therefore in milliseconds. */
		DURATION_WITHOUT_UNIT,

		/** A property for expressions or callers that is set to nothing. */
		EMPTY_PROPERTY,

		/** A policy that no method, rule or other policy uses. */
		UNUSED_POLICY,

		/** A policy that one call charges twice. */
		POLICY_CHARGED_TWICE,

		/** A limited method that its own class calls, past the limit. */
		SELF_CALL,

		/** A limited listener whose messages fail if they are denied. */
		UNPAUSED_LISTENER,

		/** A penalty of a policy that has one key for everyone, which is never banned. */
		PENALTY_WITHOUT_CALLER,

		/** A penalty by keys that a client may choose, and have another caller banned. */
		PENALTY_BY_CHOSEN_KEY,

		/** Permits of a limit that a client may choose itself. */
		CHOSEN_PERMITS,

		/** A rule that limits a path, but not the paths below it. */
		SHALLOW_RULE,

		/** A rule whose pattern matches no path that is served. */
		UNMATCHED_RULE,

		/** A rule before Spring Security whose policy needs the user. */
		PRINCIPAL_BEFORE_SECURITY,

		/** A key that needs a user in an application without Spring Security. */
		PRINCIPAL_WITHOUT_SECURITY,

		/** A handler of all exceptions that receives denials first. */
		SWALLOWED_DENIAL,

		/** An expression that the types of the arguments do not fit. */
		DOUBTFUL_EXPRESSION,

		/** A sliding window log that needs much memory. */
		LARGE_LOG,

		/** A listener for events that are not published. */
		EVENTS_DISABLED,

		/** A Redis that is configured, without the client that would use it. */
		MISSING_REDIS_CLIENT,

		/** A store of the application, with controls that each instance has alone. */
		UNSHARED_CONTROLS,

		/** A setting that lets clients choose their own address. */
		FORGEABLE_ADDRESS,

		/** A proxy that is not trusted, so that its clients share one count. */
		UNTRUSTED_PROXY,

		/** A Redis that takes about as long to reply as a call waits for it. */
		SLOW_REDIS,

		/** A key prefix that another application uses too. */
		SHARED_PREFIX,

		/** A Redis that may drop counts when its memory is full. */
		EVICTING_REDIS,

		/** A user of Redis who may not run commands that decisions need. */
		MISSING_REDIS_RIGHTS;

		/**
		 * Returns the identifier, by which findings are documented and ignored.
		 * @return the name in lower case with hyphens
		 */
		public String id() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

	}

}
