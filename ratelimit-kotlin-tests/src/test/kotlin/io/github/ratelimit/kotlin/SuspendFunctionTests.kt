package io.github.ratelimit.kotlin

import io.github.ratelimit.Charge
import io.github.ratelimit.RateLimitExceededException
import io.github.ratelimit.RateLimiter
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration
import io.github.ratelimit.autoconfigure.store.RateLimitStoreAutoConfiguration
import io.github.ratelimit.store.RateLimitStore
import io.github.ratelimit.store.StoreOperation
import io.github.ratelimit.store.TestStore
import java.io.IOException
import java.util.function.LongSupplier
import java.util.function.Supplier
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration
import org.springframework.boot.test.context.runner.ApplicationContextRunner
import org.springframework.context.ApplicationContext

/** Limited suspend functions and flows of beans. */
class SuspendFunctionTests {

    private val store = TestStore(LongSupplier { 1_790_000_000_000_000L }).refuseBlocking().delay()

    private val runner = ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                AopAutoConfiguration::class.java,
                RateLimitStoreAutoConfiguration::class.java,
                RateLimitAutoConfiguration::class.java,
                RateLimitMethodAutoConfiguration::class.java,
            )
        )
        .withPropertyValues(
            "ratelimit.store=memory", "ratelimit.policies.quotes.limits=2/1h",
            "ratelimit.policies.line.limits=1/10s leaky-bucket", "ratelimit.policies.line.max-wait=1m",
            "ratelimit.policies.busy.limits=1 concurrent", "ratelimit.policies.busy.max-wait=20s",
        )
        .withBean(Quotes::class.java)

    @Test
    fun `throws a denial into the coroutine`() = with { quotes ->
        repeat(2) { assertThat(quotes.latest("A")).isEqualTo("A at any") }
        assertThrows<RateLimitExceededException> { quotes.latest("A") }
        assertThat(quotes.latest("B", "XETRA")).isEqualTo("B at XETRA")
        assertThat(quotes.calls()).isEqualTo(3)
    }

    @Test
    fun `knows value classes by what they hold, and arguments that are left out`() = with { quotes ->
        repeat(2) { assertThat(quotes.of(Symbol("A"))).isEqualTo("A") }
        assertThrows<RateLimitExceededException> { quotes.of(Symbol("A")) }
        assertThrows<RateLimitExceededException> { quotes.latest("A") }
        assertThat(quotes.of(Symbol("B"), 2)).isEqualTo("BB")
    }

    @Test
    fun `decides a flow each time it is collected`() = with { quotes ->
        val ticks = quotes.ticks("A")
        assertThat(quotes.calls()).isZero()
        repeat(2) { assertThat(ticks.toList()).containsExactly(1, 2) }
        assertThrows<RateLimitExceededException> { ticks.toList() }
    }

    @Test
    fun `decides the flow of a suspend function when it is collected`() = with { quotes ->
        val opened = quotes.opened("A")
        assertThat(opened.toList()).containsExactly(1, 2)
        assertThat(opened.toList()).containsExactly(1, 2)
        assertThrows<RateLimitExceededException> { opened.toList() }
    }

    @Test
    fun `gives permits back after the failures it names`() = with { quotes ->
        repeat(5) { assertThrows<IOException> { quotes.failing() } }
    }

    @Test
    fun `calls a function that returns nothing`() = with { quotes ->
        quotes.nothing()
        assertThat(quotes.calls()).isEqualTo(1)
    }

    @Test
    fun `limits what an interface says, behind a proxy of the interface`() {
        val withoutClasses = runner.withPropertyValues("spring.aop.proxy-target-class=false")
            .withBean(DefaultAdvisorAutoProxyCreator::class.java)
        withoutClasses.withBean(PrintedReports::class.java).run {
            val reports = it.getBean(Reports::class.java)
            runBlocking {
                assertThat(reports.print(1)).isEqualTo("report 1")
                assertThrows<RateLimitExceededException> { reports.print(1) }
                assertThat(reports.print(2)).isEqualTo("report 2")
            }
        }
    }

    @Test
    fun `suspends until the store has decided`() = late { quotes, _ ->
        val call = async(CoroutineName("mine")) { quotes.queued() }
        yield()
        assertThat(call.isCompleted).isFalse()
        store.complete()
        assertThat(call.await()).isEqualTo("mine")
    }

    @Test
    fun `gives the turn back of a coroutine that is cancelled while it waits`() = late { quotes, limiter ->
        val waiting = List(4) { launch { quotes.queued() } }
        yield()
        store.complete()
        waiting[0].join()
        assertThat(next(limiter)).isEqualTo(40_000_000)
        waiting.drop(1).forEach { it.cancelAndJoin() }
        store.complete()
        assertThat(next(limiter)).isEqualTo(10_000_000)
        assertThat(store.requests(StoreOperation.REFUND)).hasSize(3)
        assertThat(quotes.calls()).isEqualTo(1)
    }

    @Test
    fun `gives back once what a cancelled coroutine is charged afterwards`() = late { quotes, limiter ->
        val call = launch { quotes.queued() }
        yield()
        call.cancelAndJoin()
        store.complete()
        store.complete()
        assertThat(store.requests(StoreOperation.REFUND)).hasSize(1)
        assertThat(next(limiter)).isZero()
        assertThat(quotes.calls()).isZero()
    }

    @Test
    fun `waits until another coroutine has ended, unless it is cancelled`() = with { quotes ->
        val end = CompletableDeferred<Unit>()
        val first = async { quotes.held(end) }
        while (quotes.calls() == 0) delay(1)
        val cancelled = launch { quotes.held(end) }
        val waiting = async { quotes.held(end) }
        delay(50)
        assertThat(quotes.calls()).isEqualTo(1)
        cancelled.cancelAndJoin()
        end.complete(Unit)
        assertThat(first.await()).isEqualTo(1)
        assertThat(waiting.await()).isEqualTo(2)
        assertThat(quotes.held(end)).isEqualTo(3)
    }

    /** How long the next call would wait. */
    private fun next(limiter: RateLimiter): Long {
        val decision = limiter.peekAsync(listOf(Charge.of("line", "global"))).toCompletableFuture()
        store.complete()
        return decision.join().waitMicros()
    }

    private fun with(test: suspend CoroutineScope.(Quotes) -> Unit) = run(runner) { quotes, _ -> test(quotes) }

    private fun late(test: suspend CoroutineScope.(Quotes, RateLimiter) -> Unit) =
        run(runner.withBean(RateLimitStore::class.java, Supplier { store }), test)

    private fun run(runner: ApplicationContextRunner, test: suspend CoroutineScope.(Quotes, RateLimiter) -> Unit) {
        runner.run { context: ApplicationContext ->
            runBlocking { test(context.getBean(Quotes::class.java), context.getBean(RateLimiter::class.java)) }
        }
    }
}
