-- The classic sliding window log.
-- ARGV: the time in us, or '' for the server's; permits, window in us, and a unique text.
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now - ARGV[3])
local left = ARGV[2] - redis.call('ZCARD', KEYS[1])
if left < 1 then return { 0, 0 } end
redis.call('ZADD', KEYS[1], now, string.format('%.0f', now) .. ARGV[4])
redis.call('PEXPIRE', KEYS[1], math.ceil(ARGV[3] / 1000))
return { 1, left - 1 }
