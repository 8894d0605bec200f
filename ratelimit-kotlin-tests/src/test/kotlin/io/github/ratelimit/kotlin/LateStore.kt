package io.github.ratelimit.kotlin

import io.github.ratelimit.decision.Decision
import io.github.ratelimit.store.RateLimitStore
import io.github.ratelimit.store.StoreOperation
import io.github.ratelimit.store.StoreRequest
import io.github.ratelimit.store.memory.MemoryRateLimitStore
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionStage

/** A store that decides on demand, and never while a thread waits for it. */
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

    override fun execute(request: StoreRequest): Decision =
        throw IllegalStateException("blocks")

    override fun executeAsync(request: StoreRequest): CompletionStage<Decision> {
        val decision = CompletableFuture<Decision>()
        if (request.operation() == StoreOperation.REFUND) refunds++
        undecided += { decision.complete(store.execute(request)) }
        return decision
    }
}
