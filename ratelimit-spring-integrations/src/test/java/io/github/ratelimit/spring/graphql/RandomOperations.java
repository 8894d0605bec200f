package io.github.ratelimit.spring.graphql;

import java.util.Random;

/**
 * Random operations over the schema of {@link ComplexityTests}, with fragments, aliases,
 * conditions and types of several kinds.
 */
final class RandomOperations {

	private static final String[] CONDITIONS = { "", "", "", " @skip(if: $no)", " @skip(if: $yes)",
			" @include(if: $no)", " @include(if: $yes)", " @include(if: true)" };

	private static final int FRAGMENTS = 4;

	private final Random random;

	RandomOperations(long seed) {
		this.random = new Random(seed);
	}

	/** Returns a document with an operation. */
	String next() {
		StringBuilder document = new StringBuilder("query($yes: Boolean!, $no: Boolean!) ");
		document.append(users(FRAGMENTS, 3, "Query"));
		for (int fragment = 0; fragment < FRAGMENTS; fragment++) {
			document.append(" fragment f%d on User ".formatted(fragment)).append(users(fragment, 2, "User"));
		}
		return document.toString();
	}

	/** Selects from the root or a user; each has the field {@code friend}. */
	private String users(int fragments, int depth, String type) {
		StringBuilder selections = new StringBuilder("{ __typename");
		for (int count = 1 + this.random.nextInt(4); count > 0; count--) {
			selections.append(' ').append(selection(fragments, depth, type));
		}
		return selections.append(" }").toString();
	}

	private String selection(int fragments, int depth, String type) {
		boolean root = "Query".equals(type);
		return switch (this.random.nextInt((depth > 0) ? 7 : 2)) {
			case 0 -> (root ? "__typename" : "name") + condition();
			case 1 -> (fragments > 0 && !root) ? "...f" + this.random.nextInt(fragments) + condition() : "__typename";
			case 2 -> "..." + (this.random.nextBoolean() ? " on " + type : "") + condition() + " "
					+ users(fragments, depth - 1, type);
			case 3 -> "node%d: node%s { id %s }".formatted(depth, condition(), nodes(fragments, depth - 1));
			case 4 -> "any%d: any%s { __typename %s }".formatted(depth, condition(), nodes(fragments, depth - 1));
			default -> alias() + "friend" + condition() + " " + users(fragments, depth - 1, "User");
		};
	}

	/** Selects from an interface or a union, different fields of each type. */
	private String nodes(int fragments, int depth) {
		return "... on Post%s { title%s author %s } ... on User { name friend %s }".formatted(condition(), condition(),
				users(fragments, depth, "User"), users(fragments, depth, "User"));
	}

	private String alias() {
		return new String[] { "", "", "a: ", "b: " }[this.random.nextInt(4)];
	}

	private String condition() {
		return CONDITIONS[this.random.nextInt(CONDITIONS.length)];
	}

}
