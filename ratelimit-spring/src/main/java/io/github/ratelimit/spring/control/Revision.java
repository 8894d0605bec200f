package io.github.ratelimit.spring.control;

import java.util.Map;

/**
 * The revision up to which an instance knows the controls of a store. A store that shares
 * controls may lose them: it is emptied, evicts a key, restarts with older data, or fails
 * over to a replica that lags. Instances notice at their next look, and write back what
 * they know. Immutable.
 * <p>
 * Revisions grow with each change, over all instances, and are times of the store. Who
 * knows a revision knows all that was set <em>and lifted</em> up to it. So the rules are:
 * <ol>
 * <li>A store lacks something if its newest revision is below the known one, if it no
 * longer has one of the newest changes that are known, nor a newer one of the same
 * control, or if one of its keys is gone.
 * <li>A store that was emptied begins a new <em>generation</em> with the first change or
 * with what is written back. It lacks something if it does not include the known revision
 * of the known generation. An instance that was cut off while others wrote back newer
 * knowledge therefore takes the store as the truth.
 * <li>Up to the known revision, what is written back replaces the store: a control that
 * the instance knows is set again, and one that it does not know was lifted and is
 * dropped. The store keeps changes that are newer, such as a control that any instance
 * set or lifted in the moment of the loss.
 * <li>Writing back takes parts, each of which first checks again that the store lacks
 * something, and one instance does it at a time, unless another knows more. Until the
 * last part, the store still lacks something, and no instance takes it as the truth.
 * Identifiers stay the same, and so do ends. So several instances restore a control once,
 * and one with older knowledge undoes nothing.
 * <li>An instance that has just started knows nothing and writes nothing back.
 * </ol>
 * A change that no instance had read before the store lost it cannot be restored. If the
 * clock of a new server is behind by more than the failover took, a change in the moment
 * of the failover may be lost too.
 *
 * @param generation the generation of the store; empty for none
 * @param number the newest revision; 0 for nothing known
 * @param newest the newest changes, without those that may no longer be in the store:
 * their revisions by identifiers
 */
public record Revision(String generation, long number, Map<String, Long> newest) {

	/** The revision of an instance that knows nothing. */
	public static final Revision NONE = new Revision("", 0, Map.of());

	/**
	 * Copies the changes.
	 * @param generation the generation of the store
	 * @param number the newest revision
	 * @param newest the newest changes
	 */
	public Revision {
		newest = Map.copyOf(newest);
	}

}
