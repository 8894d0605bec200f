package io.github.ratelimit.benchmarks.simulation;

/**
 * Processor times, in microseconds.
 *
 * @param server those of Redis
 * @param client those of an instance
 */
public record Costs(Server server, Client client) {

	/**
	 * Processor times of Redis.
	 *
	 * @param wake to sleep and wake up
	 * @param read to read the commands of one connection and to write the replies
	 * @param run for a command, whatever it decides
	 * @param decision for each key of a command
	 * @param shared for a decision on several calls, in addition
	 * @param connect for a new connection
	 */
	public record Server(double wake, double read, double run, double decision, double shared, double connect) {

		/** Returns the cost of a single decision on a connection with nothing else. */
		double single() {
			return this.read + this.run + this.decision;
		}

	}

	/**
	 * Processor times of an instance.
	 *
	 * @param wake for the event loop to sleep and wake up
	 * @param read to read the replies that have come and to write commands
	 * @param run for a command and its reply
	 * @param decision for a call
	 * @param shared for one of several calls in one decision, instead
	 * @param thread for a thread to wait for a decision
	 * @param local for a call that is decided without Redis
	 */
	public record Client(double wake, double read, double run, double decision, double shared, double thread,
			double local) {

	}

}
