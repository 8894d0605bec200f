-- Writes back a part of what an instance knows, if the store lacks it: see Revision.java. The last
-- part has the newest changes, without which the store still lacks something. It is repeated until
-- all that was lifted is dropped.
-- ARGV: the known generation and revision, how many of the newest changes follow, these, the name
-- of the instance, '1' for the last part, and then for each control its identifier, its text, or ''
-- if the instance could not read it, and its end in microseconds or 'inf'.
-- Returns 1 if the instance is to go on, otherwise 0; and, when all is written, how many controls
-- were written, and how many dropped, as they had been lifted.
local most = 500
local ofGeneration, known = ARGV[1], number(ARGV[2])
local first = 4 + 2 * number(ARGV[3])
local instance, last = ARGV[first], ARGV[first + 1] == '1'
if not lacks(ofGeneration, known, 4, first - 1) then return {0, 0, 0} end
if not whole then beginAnew() end

-- One instance writes back at a time, unless another knows more. The one that ends it returns what
-- all have written.
local writer, upTo, lease, written, dropped = string.match(state(':writer') or '', '^(%S+) (%d+) (%d+) (%d+) (%d+)$')
if writer and writer ~= instance and number(upTo) >= known and number(lease) > now then return {0, 0, 0} end
written, dropped = number(written), number(dropped)

-- What is written back gets the known revision, so that what keeps an older one had been lifted.
local function write()
  local texts, revisions, ends = {}, {}, {}
  for i = first + 2, #ARGV, 3 do
    local id, control = ARGV[i], ARGV[i + 1]
    local kept, revision = redis.call('HGET', KEYS[1], id), number(redis.call('ZSCORE', KEYS[2], id))
    if revision <= known and control ~= '' and control ~= kept then
      texts[#texts + 1], texts[#texts + 2] = id, control
      ends[#ends + 1], ends[#ends + 2] = ARGV[i + 2], id
      written = written + 1
    end
    if revision < known and (control ~= '' or kept) then
      revisions[#revisions + 1], revisions[#revisions + 2] = text(known), id
    end
  end
  if #texts > 0 then redis.call('HSET', KEYS[1], unpack(texts)) end
  if #ends > 0 then redis.call('ZADD', KEYS[3], unpack(ends)) end
  if #revisions > 0 then redis.call('ZADD', KEYS[2], unpack(revisions)) end
end

-- Returns whether there may be more to drop.
local function drop(except)
  local older = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', '(' .. text(known), 'LIMIT', 0, most + #ARGV)
  for i = 1, #older do
    if not except[older[i]] then
      if redis.call('HDEL', KEYS[1], older[i]) == 1 then
        redis.call('ZADD', KEYS[3], text(now + hour), older[i])
        dropped = dropped + 1
      end
      redis.call('ZADD', KEYS[2], text(known), older[i])
    end
  end
  return #older == most + #ARGV
end

local more = true
if last then
  local newest = {}
  for i = 4, first - 1, 2 do newest[ARGV[i]] = true end
  more = drop(newest)
end
if not (last and more) then write() end
if last and not more then drop({}) end
if redis.call('TOUCH', KEYS[2]) == 0 then return {more and 1 or 0, 0, 0} end
if more then
  redis.call('HSET', KEYS[1], ':writer', instance .. ' ' .. text(known) .. ' ' .. text(now + 1000000) .. ' '
    .. text(written) .. ' ' .. text(dropped))
  expireWithTheLast()
  return {1, 0, 0}
end

redis.call('HDEL', KEYS[1], ':writer')
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
return {0, written, dropped}
