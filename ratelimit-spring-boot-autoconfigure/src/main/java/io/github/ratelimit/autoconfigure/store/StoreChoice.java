package io.github.ratelimit.autoconfigure.store;

/**
 * The stores that were chosen when the application started. As a bean, it closes what
 * they have in common.
 *
 * @param stores the stores, which leave counts to a store of the application
 * @param reason why they were chosen, as a clause
 * @param basis what decided
 */
public record StoreChoice(Stores stores, String reason, Basis basis) implements AutoCloseable {

	@Override
	public void close() {
		this.stores.close();
	}

	/** The basis of a choice. */
	public enum Basis {

		/** The property {@code ratelimit.store}. */
		PROPERTY,

		/** The evidence of a shared store. */
		EVIDENCE,

		/** Nothing, so that the stores are in memory. */
		NOTHING,

		/** A store of the application, next to which the others are in memory. */
		OWN_STORE

	}

}
