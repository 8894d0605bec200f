package io.github.ratelimit.key;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MemoTests {

	private final Memo<String> memo = new Memo<>(4);

	@Test
	void returnsTheAnswerOfItsKey() {
		assertThat(this.memo.get("alice", 0)).isNull();
		this.memo.put("alice", 0, "answer");
		assertThat(this.memo.get("alice", 0)).isEqualTo("answer");
		assertThat(this.memo.get("alice", 1)).isNull();
	}

	@Test
	void keepsTheLaterAnswerInASlot() {
		this.memo.put("alice", 0, "alice's");
		for (int other = 0; other < 10; other++) {
			this.memo.put("caller-" + other, 0, "another's");
		}
		assertThat(this.memo.get("alice", 0)).isNull();
		assertThat(this.memo.get("caller-9", 0)).isEqualTo("another's");
	}

	@Test
	void notesWhichKeyOfASlotWasUsedLast() {
		Memo<String> one = new Memo<>(1);
		assertThat(one.noteUse("alice", 0)).isFalse();
		assertThat(one.noteUse("alice", 0)).isTrue();
		assertThat(one.noteUse("alice", 1)).isFalse();
		assertThat(one.noteUse("bob", 0)).isFalse();
		assertThat(one.noteUse("alice", 0)).isFalse();
	}

	@Test
	void returnsAKeptAnswerAgainOnceItsKeyIsTheLast() {
		Memo<String> one = new Memo<>(1);
		one.put("alice", 0, "answer");
		one.noteUse("bob", 0);
		assertThat(one.get("alice", 0)).isNull();
		one.noteUse("alice", 0);
		assertThat(one.get("alice", 0)).isEqualTo("answer");
	}

	@Test
	void keepsNoAnswerForALongKey() {
		this.memo.put("a".repeat(128), 0, "answer");
		assertThat(this.memo.get("a".repeat(128), 0)).isEqualTo("answer");
		this.memo.put("a".repeat(129), 0, "answer");
		assertThat(this.memo.get("a".repeat(129), 0)).isNull();
	}

}
