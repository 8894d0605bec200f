package io.github.ratelimit.kotlin

import io.github.ratelimit.RateLimited
import java.io.IOException
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import org.springframework.stereotype.Service

@JvmInline
value class Symbol(val text: String)

@Service
class Quotes {

    private var calls = 0

    fun calls() = calls

    @RateLimited("quotes", key = "#symbol")
    suspend fun latest(symbol: String, venue: String = "any"): String {
        delay(1)
        calls++
        return "$symbol at $venue"
    }

    @RateLimited("quotes", key = "#symbol")
    suspend fun of(symbol: Symbol, times: Int = 1): String {
        calls++
        return symbol.text.repeat(times)
    }

    @RateLimited(policy = "quotes", key = "#symbol")
    fun ticks(symbol: String): Flow<Int> = flow {
        calls++
        emit(1)
        delay(1)
        emit(2)
    }

    @RateLimited(policy = "quotes", key = "#symbol")
    suspend fun opened(symbol: String): Flow<Int> {
        delay(1)
        return ticks(symbol)
    }

    @RateLimited(policy = "quotes", refundOn = [IOException::class])
    suspend fun failing(): String {
        delay(1)
        throw IOException("broken")
    }

    @RateLimited("line")
    suspend fun queued(): String? {
        calls++
        return currentCoroutineContext()[CoroutineName]?.name
    }

    @RateLimited("busy")
    suspend fun held(end: Deferred<Unit>): Int {
        calls++
        end.await()
        return calls
    }

    @RateLimited("line")
    suspend fun nothing() {
        delay(1)
        calls++
    }
}

interface Reports {

    @RateLimited(limit = "1/1h", key = "#month")
    suspend fun print(month: Int): String
}

@Service
class PrintedReports : Reports {

    override suspend fun print(month: Int): String {
        delay(1)
        return "report $month"
    }
}
