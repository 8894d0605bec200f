package io.github.ratelimit.spring.graphql;

import graphql.ErrorClassification;

/**
 * The classifications of rejected operations and fields, for which Spring GraphQL has no
 * own.
 */
enum GraphQlRejection implements ErrorClassification {

	/** Classification of what a limit denies. */
	RATE_LIMITED,

	/** Classification of what cannot be decided, as the store fails. */
	UNAVAILABLE

}
