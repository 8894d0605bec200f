package io.github.ratelimit.spring.control;

import java.time.InstantSource;

class MemoryControlStoreTests extends ControlStoreContract {

	private final ControlStore store = new MemoryControlStore(InstantSource.system());

	@Override
	protected ControlStore store() {
		return this.store;
	}

}
