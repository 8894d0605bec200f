package io.github.ratelimit.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Definition;
import io.github.ratelimit.algorithm.Limit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An account of all admissions of a chaos, by the counts that admitted them. A period has
 * the admissions that certainly were within it: those sent after its begin, whose
 * responses arrived before its end.
 *
 * @param faults the faults. After a loss, a count starts again with what was kept, so
 * admissions that may have been lost are in no period with others
 */
record ChaosAccount(ChaosFaults faults) {

	/** The largest limits that were in effect, and those of an instance. */
	private static final Map<String, Limit> LARGEST = Map.of("strict", limit("16/1s sliding-window-log"), "share",
			limit("16/1s"), "open", limit("16/1s fixed-window"));

	private static final Limit SHARE = limit("8/1s");

	/**
	 * Requires that no count admitted more than its algorithm allows in a period, once
	 * more for each loss of data in it, and not more of what no loss has taken.
	 * @return the most that a count admitted in a period, of its bound
	 */
	String requireBounds(List<ChaosCall> calls) {
		Map<String, List<ChaosCall>> counts = new TreeMap<>();
		calls.stream()
			.filter((call) -> call.status() == 200)
			.sorted(Comparator.comparingLong(ChaosCall::begin))
			.forEach((call) -> counts.computeIfAbsent(call.count(), (count) -> new ArrayList<>()).add(call));
		Most most = new Most(0, 1, "");
		for (Map.Entry<String, List<ChaosCall>> count : counts.entrySet()) {
			Most mostOfCount = mostOf(count.getKey(), count.getValue());
			most = (mostOfCount.part() > most.part()) ? mostOfCount : most;
		}
		return "at most " + most.admitted + " of " + most.bound + " in a period (" + most.count + ")";
	}

	private Most mostOf(String count, List<ChaosCall> calls) {
		Limit limit = calls.get(0).isLocal() ? SHARE : Objects.requireNonNull(LARGEST.get(calls.get(0).policy()));
		long bound = Definition.of(limit).mostIn(limit.periodMicros());
		Most most = new Most(0, bound, count);
		for (int first = 0; first < calls.size(); first++) {
			long begin = calls.get(first).begin();
			long end = begin + limit.periodMicros() * 1000;
			List<ChaosCall> within = calls.subList(first, calls.size())
				.stream()
				.takeWhile((call) -> call.begin() < end)
				.filter((call) -> call.end() < end)
				.toList();
			long admitted = within.size();
			long losses = calls.get(first).isLocal() ? 0 : this.faults.lossesIn(begin, end);
			assertThat(admitted).as("%s from %d with %d losses", count, begin, losses)
				.isLessThanOrEqualTo(bound * (1 + losses));
			if (losses > 0) {
				assertThat(within.stream().filter((call) -> !this.faults.mayHaveLost(call)).count())
					.as("%s from %d but what was lost", count, begin)
					.isLessThanOrEqualTo(bound);
			}
			most = (losses == 0 && admitted > most.admitted) ? new Most(admitted, bound, count) : most;
		}
		return most;
	}

	private static Limit limit(String text) {
		return Limit.parse(text, Algorithm.TOKEN_BUCKET);
	}

	private record Most(long admitted, long bound, String count) {

		double part() {
			return (double) this.admitted / this.bound;
		}

	}

}
