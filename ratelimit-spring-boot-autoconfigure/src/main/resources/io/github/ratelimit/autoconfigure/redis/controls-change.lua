-- Keeps or lifts controls. What is lifted leaves a trace for an hour, its revision and end.
-- ARGV: the most controls, the newest revision that the instance knows, and then for each control
-- its identifier, its text, or '' to lift it, and its end in microseconds or 'inf'. Returns the
-- identifiers of those for which there is no room.
if not whole then beginAnew() end
local revision = math.max(now, head + 1, number(ARGV[2]) + 1) - 1
local refused = {}
for i = 3, #ARGV, 3 do
  local id, control = ARGV[i], ARGV[i + 1]
  if control ~= '' and redis.call('HEXISTS', KEYS[1], id) == 0 and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[1]) then
    refused[#refused + 1] = id
  else
    revision = revision + 1
    redis.call('ZADD', KEYS[2], text(revision), id)
    if control ~= '' then
      redis.call('HSET', KEYS[1], id, control)
      redis.call('ZADD', KEYS[3], ARGV[i + 2], id)
    else
      redis.call('HDEL', KEYS[1], id)
      redis.call('ZADD', KEYS[3], text(now + hour), id)
    end
  end
end
if 3 * #refused + 2 < #ARGV then
  if generation == '' then redis.call('HSET', KEYS[1], ':generation', text(revision)) end
  redis.call('HSET', KEYS[1], ':head', text(revision))
  expireWithTheLast()
end
return refused
