-- Keeps or lifts a control. What is lifted leaves a trace for an hour, its revision and end.
-- ARGV: the identifier, the control or '' to lift it, its end in microseconds or 'inf', the
-- most controls, the newest revision that the instance knows. Returns 1, or 0 if there is no
-- room.
if not whole then beginAnew() end
local id, control = ARGV[1], ARGV[2]
if control ~= '' and redis.call('HEXISTS', KEYS[1], id) == 0 and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then
  return 0
end
local revision = text(math.max(now, head + 1, number(ARGV[5]) + 1))
if generation == '' then redis.call('HSET', KEYS[1], ':generation', revision) end
redis.call('HSET', KEYS[1], ':head', revision)
redis.call('ZADD', KEYS[2], revision, id)
if control ~= '' then
  redis.call('HSET', KEYS[1], id, control)
  redis.call('ZADD', KEYS[3], ARGV[3], id)
else
  redis.call('HDEL', KEYS[1], id)
  redis.call('ZADD', KEYS[3], text(now + hour), id)
end
expireWithTheLast()
return 1
