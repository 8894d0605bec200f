package io.github.ratelimit.kotlin

import io.github.ratelimit.algorithm.Decision
import io.github.ratelimit.store.Debit
import io.github.ratelimit.store.MemoryRateLimitStore
import io.github.ratelimit.store.Operation
import io.github.ratelimit.store.RateLimitStore
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionStage

/** Decides only when it is told to, and never while a thread waits for it. */
class LateStore : RateLimitStore {

    private val store = MemoryRateLimitStore(1000) { 1_790_000_000_000_000L }

    private val undecided = mutableListOf<() -> Unit>()

    var refunds = 0

    fun decide() {
        val now = undecided.toList()
        undecided.clear()
        now.forEach { it() }
    }

    override fun name() = "late"

    override fun execute(operation: Operation, debits: List<Debit>): Decision =
        throw IllegalStateException("blocks")

    override fun executeAsync(operation: Operation, debits: List<Debit>): CompletionStage<Decision> {
        val decision = CompletableFuture<Decision>()
        if (operation == Operation.GIVE_BACK) refunds++
        undecided += { decision.complete(store.execute(operation, debits)) }
        return decision
    }
}
