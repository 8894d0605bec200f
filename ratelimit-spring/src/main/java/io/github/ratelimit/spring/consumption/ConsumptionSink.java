package io.github.ratelimit.spring.consumption;

import java.util.List;

/**
 * A receiver of what keys have spent, such as a billing system. Nothing is counted for it
 * unless the application has a bean of this type.
 */
@FunctionalInterface
public interface ConsumptionSink {

	/**
	 * Receives records. If this throws, the same records with the same identifiers come
	 * again, together with others or without. So a sink that may have received some of
	 * them ignores identifiers that it knows. It is called on a thread of the limiter,
	 * never of a call, and by one thread at a time, also when the application stops,
	 * which waits until this returns.
	 * @param records from 1 to 500 records
	 * @throws RuntimeException if not all of the records were received for certain
	 */
	void receive(List<ConsumptionRecord> records);

}
