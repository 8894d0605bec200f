-- Writes back what an instance knows, if the store lacks it: see Revision.java.
-- ARGV: the known generation and revision, how many of the newest changes follow, these, and then
-- for each control its identifier, its text, or '' if the instance could not read it, and its end
-- in microseconds or 'inf'.
-- Returns how many controls were written, and how many dropped, as they had been lifted.
local ofGeneration, known = ARGV[1], number(ARGV[2])
local first = 4 + 2 * number(ARGV[3])
if not lacks(ofGeneration, known, 4, first - 1) then return {0, 0} end
if not whole then beginAnew() end

local written, dropped, mine = 0, 0, {}
for i = first, #ARGV, 3 do
  local id, control = ARGV[i], ARGV[i + 1]
  mine[id] = true
  if control ~= '' and number(redis.call('ZSCORE', KEYS[2], id)) <= known
      and redis.call('HGET', KEYS[1], id) ~= control then
    redis.call('HSET', KEYS[1], id, control)
    redis.call('ZADD', KEYS[2], text(known), id)
    redis.call('ZADD', KEYS[3], ARGV[i + 2], id)
    written = written + 1
  end
end
local older = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', text(known))
for i = 1, #older do
  if not mine[older[i]] and redis.call('HDEL', KEYS[1], older[i]) == 1 then
    redis.call('ZADD', KEYS[3], text(now + hour), older[i])
    dropped = dropped + 1
  end
end
if redis.call('TOUCH', KEYS[2]) == 0 then return {0, 0} end

local included = (ofGeneration == generation) and math.max(head, known) or known
redis.call('HSET', KEYS[1], ':known:' .. ofGeneration, text(included))
redis.call('HSET', KEYS[1], ':restored', text(math.max(number(state(':restored')), known)))
if written + dropped > 0 or ofGeneration == generation then
  if generation ~= '' and generation ~= ofGeneration then
    redis.call('HSET', KEYS[1], ':known:' .. generation, text(head))
  end
  redis.call('HSET', KEYS[1], ':generation', text(math.max(now, head + 1, known + 1)))
  redis.call('HSET', KEYS[1], ':head', text(math.max(head, known)))
end
expireWithTheLast()
return {written, dropped}
