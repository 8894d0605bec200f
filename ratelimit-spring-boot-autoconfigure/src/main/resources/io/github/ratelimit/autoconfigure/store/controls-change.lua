-- Keeps or drops a control, and drops those that have ended.
-- KEYS: controls, revisions, ends. ARGV: the identifier, the control or '' to drop it, its
-- end in microseconds or 'inf', the most controls. Returns 1, or 0 if there is no room.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local hour = 3600000000
local ended = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now)
for i = 1, #ended do
  redis.call('HDEL', KEYS[1], ended[i])
  redis.call('ZREM', KEYS[2], ended[i])
  redis.call('ZREM', KEYS[3], ended[i])
end
local id, control = ARGV[1], ARGV[2]
if control ~= '' and redis.call('HEXISTS', KEYS[1], id) == 0 and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then
  return 0
end
local head = tonumber(redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')[2] or '0')
redis.call('ZADD', KEYS[2], string.format('%.0f', math.max(now, head + 1)), id)
if control ~= '' then
  redis.call('HSET', KEYS[1], id, control)
  redis.call('ZADD', KEYS[3], ARGV[3], id)
else
  redis.call('HDEL', KEYS[1], id)
  redis.call('ZADD', KEYS[3], string.format('%.0f', now + hour), id)
end
local last = redis.call('ZRANGE', KEYS[3], -1, -1, 'WITHSCORES')[2]
for i = 1, #KEYS do
  if last == 'inf' then
    redis.call('PERSIST', KEYS[i])
  else
    redis.call('PEXPIREAT', KEYS[i], string.format('%.0f', (tonumber(last) + hour) / 1000))
  end
end
return 1
