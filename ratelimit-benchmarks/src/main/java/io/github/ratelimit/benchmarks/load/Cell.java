package io.github.ratelimit.benchmarks.load;

/**
 * Measurement that each repetition makes again.
 *
 * @param contender its name
 * @param scenario who calls
 * @param load how many calls there are at any time
 */
record Cell(String contender, Scenario scenario, Load load) {
}
