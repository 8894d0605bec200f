package io.github.ratelimit.benchmarks;

import java.util.function.IntFunction;

/**
 * Row of calls of one script to measure.
 *
 * @param name in a table
 * @param uncounted how many of the first calls only prepare what the others find
 * @param counted how many calls to measure after these
 * @param waits whether Redis is to deny the calls that are measured, or to let them wait
 * @param calls the calls by their number
 */
record Subject(String name, int uncounted, int counted, boolean waits, IntFunction<ScriptCall> calls) {
}
