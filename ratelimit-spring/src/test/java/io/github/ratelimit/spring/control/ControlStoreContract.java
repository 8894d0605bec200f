package io.github.ratelimit.spring.control;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.spring.control.ControlStore.Changes;
import io.github.ratelimit.spring.control.ControlStore.Restored;
import io.github.ratelimit.spring.control.ControlStore.Text;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The contract of control stores, shared or not. Each test begins with an empty store.
 */
public abstract class ControlStoreContract {

	private Instance one;

	private Instance other;

	/**
	 * Returns the store as an instance has it: all of a test share the same controls.
	 * @return the store, which the test closes
	 */
	protected abstract ControlStore store();

	/**
	 * Has the store lose all controls, as a server that restarts empty.
	 * @return whether it did; a store that loses nothing does not
	 */
	protected boolean tryLose() {
		return false;
	}

	@BeforeEach
	void open() {
		this.one = new Instance(store());
		this.other = new Instance(store());
	}

	@AfterEach
	void close() {
		this.one.store.close();
		this.other.store.close();
	}

	@Test
	void returnsAllControlsToAnInstanceThatKnowsNone() {
		this.one.store.put(Map.of("a", new Text("of a", null), "b", new Text("of b", later())));
		Changes changes = this.other.store.since(Revision.NONE, false);
		assertThat(changes.all()).isTrue();
		assertThat(changes.lacking()).isFalse();
		assertThat(changes.texts()).containsOnly(Map.entry("a", "of a"), Map.entry("b", "of b"));
	}

	@Test
	void returnsWhatChangedSinceALook() {
		this.one.store.put(Map.of("a", new Text("of a", null), "b", new Text("of b", null)));
		this.other.look();
		this.one.store.put("b", "later of b", null);
		this.one.store.put("c", "of c", later());
		this.one.store.remove("a");
		assertThat(this.other.look()).containsOnly(Map.entry("b", "later of b"), Map.entry("c", "of c"));
		assertThat(this.one.look()).isEqualTo(this.other.look());
	}

	@Test
	void hasAHigherRevisionAfterEachChange() {
		this.one.store.put("a", "of a", null);
		this.other.look();
		long before = this.other.known.number();
		this.one.store.put("a", "later of a", null);
		this.other.look();
		assertThat(this.other.known.number()).isGreaterThan(before);
		before = this.other.known.number();
		this.one.store.remove("a");
		this.other.look();
		assertThat(this.other.known.number()).isGreaterThan(before);
	}

	@Test
	void returnsAllControlsIfTheyAreWanted() {
		this.one.store.put(Map.of("a", new Text("of a", null), "b", new Text("of b", null)));
		this.one.look();
		Changes changes = this.one.store.since(this.one.known, true);
		assertThat(changes.all()).isTrue();
		assertThat(changes.texts()).containsOnlyKeys("a", "b");
	}

	@Test
	void dropsControlsThatHaveEndedAndReportsThemOnce() {
		Instant over = this.one.store.since(Revision.NONE, false).now().minusSeconds(1);
		this.one.store.put(Map.of("over", new Text("a text", over), "a", new Text("of a", later())));
		List<String> ended = Stream.of(this.one, this.other, this.one)
			.flatMap((each) -> each.store.since(each.known, false).ended().stream())
			.toList();
		assertThat(ended).containsExactly("over");
		assertThat(this.one.look()).containsOnlyKeys("a");
		assertThat(this.other.look()).containsOnlyKeys("a");
	}

	@Test
	void liftsAControlThatIsNotThere() {
		this.one.store.remove("a");
		assertThat(this.other.look()).isEmpty();
	}

	@Test
	void keepsAnyTextThatCanBeSeen() {
		String text = "v=1&key=%C3%A4 'quoted' \"twice\" \\ ä € \uD83D\uDE00 {0} $1 ".repeat(200);
		this.one.store.put("ban-client-ip:2001:db8::/64", text, null);
		assertThat(this.other.look()).containsOnly(Map.entry("ban-client-ip:2001:db8::/64", text));
	}

	/** A store may need some of its room for itself. */
	@Test
	void refusesControlsForWhichThereIsNoRoom() {
		Text text = new Text("a text", null);
		Map<String, Text> most = IntStream.range(0, ControlStore.MOST + 10)
			.boxed()
			.collect(Collectors.toMap((number) -> "id-" + number, (number) -> text));
		Set<String> refused = this.one.store.put(most);
		assertThat(refused).hasSizeBetween(10, 20);
		most.keySet().removeAll(refused);
		assertThat(this.other.look()).containsOnlyKeys(most.keySet());
		String kept = most.keySet().iterator().next();
		assertThat(this.one.store.put(Map.of(kept, text, "one more", text))).containsExactly("one more");
		this.one.store.remove(kept);
		assertThat(this.one.store.put("one more", "a text", null)).isTrue();
		assertThat(this.other.look()).hasSize(most.size()).containsKey("one more");
	}

	/** Revisions may be given in another order than changes can be seen. */
	@Test
	void hidesNoChangeFromAnInstanceThatLooksMeanwhile() {
		List<CompletableFuture<Void>> writers = IntStream.range(0, 4)
			.mapToObj((writer) -> CompletableFuture.runAsync(() -> IntStream.range(0, 50)
				.forEach((number) -> this.one.store.put(writer + "-" + number, "a text", null))))
			.toList();
		while (!writers.stream().allMatch(CompletableFuture::isDone)) {
			this.other.look();
		}
		writers.forEach(CompletableFuture::join);
		assertThat(this.other.look()).hasSize(200);
	}

	@Test
	void writesNothingBackUnlessSomethingIsLost() {
		this.one.store.put("a", "of a", null);
		this.one.look();
		assertThat(this.one.store.restore(this.one.known, Stream.of(Map.entry("b", new Text("of b", null)))))
			.isEqualTo(Restored.NOTHING);
		assertThat(this.other.look()).containsOnlyKeys("a");
	}

	@Test
	void writesBackWhatWasLostOnce() {
		this.one.store.put(Map.of("a", new Text("of a", null), "b", new Text("of b", later())));
		this.one.look();
		this.other.look();
		assumeTrue(tryLose());
		assertThat(this.one.store.since(this.one.known, false).lacking()).isTrue();
		Map<String, Text> known = Map.of("a", new Text("of a", null), "b", new Text("of b", later()));
		assertThat(this.one.store.restore(this.one.known, known.entrySet().stream())).isEqualTo(new Restored(2, 0));
		assertThat(this.other.store.restore(this.other.known, known.entrySet().stream())).isEqualTo(Restored.NOTHING);
		assertThat(this.other.look()).containsOnly(Map.entry("a", "of a"), Map.entry("b", "of b"));
		assertThat(new Instance(this.one.store).look()).containsOnlyKeys("a", "b");
	}

	private static Instant later() {
		return Instant.now().plusSeconds(3600);
	}

	/** An instance that follows the changes of a store. */
	private static final class Instance {

		private final ControlStore store;

		private final Map<String, String> texts = new HashMap<>();

		private Revision known = Revision.NONE;

		Instance(ControlStore store) {
			this.store = store;
		}

		/** Returns all controls that it knows after a look. */
		Map<String, String> look() {
			Changes changes = this.store.since(this.known, false);
			assertThat(changes.lacking()).isFalse();
			if (changes.all()) {
				this.texts.clear();
			}
			this.texts.putAll(changes.texts());
			this.texts.values().removeIf(String::isEmpty);
			this.texts.keySet().removeAll(changes.ended());
			this.known = changes.revision();
			return Map.copyOf(this.texts);
		}

	}

}
