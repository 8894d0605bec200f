-- A token bucket as gateways have it: its tokens and the second of the last call in a key each.
-- ARGV: tokens a second, the most there can be, and tokens for a call.
local rate, most, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local lifetime = math.floor(2 * most / rate)
local second = tonumber(redis.call('TIME')[1])
local tokens = tonumber(redis.call('GET', KEYS[1]) or most)
local last = tonumber(redis.call('GET', KEYS[2]) or 0)
tokens = math.min(most, tokens + math.max(0, second - last) * rate)
local allowed = 0
if tokens >= cost then
  allowed = 1
  tokens = tokens - cost
end
if lifetime > 0 then
  redis.call('SETEX', KEYS[1], lifetime, string.format('%.0f', tokens))
  redis.call('SETEX', KEYS[2], lifetime, second)
end
return { allowed, tokens }
