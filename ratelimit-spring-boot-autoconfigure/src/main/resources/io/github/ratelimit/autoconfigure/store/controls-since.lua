-- The controls that changed after a revision, or all of them.
-- KEYS: controls, revisions, ends. ARGV: the known revision, or 0.
-- Returns the revision, the time in microseconds, whether these are all, and pairs of an
-- identifier and a control, empty if dropped.
local time = redis.call('TIME')
local head = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')[2] or '0'
local known = tonumber(ARGV[1])
local changes = {head, time[1] .. string.format('%06d', time[2]), '0'}
if known == 0 or known > tonumber(head) then
  changes[3] = '1'
  local all = redis.call('HGETALL', KEYS[1])
  for i = 1, #all do changes[3 + i] = all[i] end
elseif known < tonumber(head) then
  local ids = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[1], '+inf')
  for i = 1, #ids do
    changes[2 + 2 * i] = ids[i]
    changes[3 + 2 * i] = redis.call('HGET', KEYS[1], ids[i]) or ''
  end
end
return changes
