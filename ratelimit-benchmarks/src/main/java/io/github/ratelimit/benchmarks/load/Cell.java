package io.github.ratelimit.benchmarks.load;

/**
 * What is measured again in each repetition.
 *
 * @param contender its name
 * @param scenario who calls
 * @param load how many calls there are at any time
 */
record Cell(String contender, Scenario scenario, Load load) {
}
