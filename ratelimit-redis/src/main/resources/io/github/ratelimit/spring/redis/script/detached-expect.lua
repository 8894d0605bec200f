-- Expects a detached charge to be due for a refund, before it is kept.
-- KEYS: the sorted set of such charges. ARGV: three numbers in one text: the time in us, below 0 for that of the
-- server, the time after which the charge is due, and the time for which the set is kept; then its place.
-- Reply: the time and 1.

local now, life, kept = struct.unpack('<ddd', ARGV[1])
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
redis.call('ZADD', KEYS[1], now + life, ARGV[2])
redis.call('PEXPIRE', KEYS[1], math.ceil(kept / 1000))
return struct.pack('<dd', now, 1)
