-- The controls that changed after a revision, or all of them. Drops those that have ended.
-- ARGV: the known generation and revision, '1' for all controls, and the newest known changes.
-- Returns the generation, the revision, the newest changes, the time in microseconds, whether the
-- store lacks what was known, whether these are all controls, whether there are too many for one
-- reply, the identifiers that have just ended, and pairs of an identifier and a control, '' if
-- lifted. To an instance that knows what the store lacks, it returns no control.
local most = 500
local known = number(ARGV[2])
local lacking = lacks(ARGV[1], known, 4, #ARGV)

local ended = {}
local over = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', text(now), 'LIMIT', 0, 1000)
for i = 1, #over do
  if redis.call('HDEL', KEYS[1], over[i]) == 1 then ended[#ended + 1] = over[i] end
end
if #over > 0 then
  redis.call('ZREM', KEYS[2], unpack(over))
  redis.call('ZREM', KEYS[3], unpack(over))
  if redis.call('TOUCH', KEYS[3]) == 0 then beginAnew() end
end

local all = ARGV[3] == '1' or known == 0 or lacking or ARGV[1] ~= generation
local many, controls = false, {}
if all and not lacking then
  many = redis.call('HLEN', KEYS[1]) > most
  local fields = many and {} or redis.call('HGETALL', KEYS[1])
  for i = 1, #fields, 2 do
    if string.sub(fields[i], 1, 1) ~= ':' then
      controls[#controls + 1] = fields[i]
      controls[#controls + 1] = fields[i + 1]
    end
  end
elseif not all and known < head then
  local ids = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[2], '+inf', 'LIMIT', 0, most + 1)
  many = #ids > most
  for i = 1, many and 0 or #ids do
    controls[2 * i - 1] = ids[i]
    controls[2 * i] = redis.call('HGET', KEYS[1], ids[i]) or ''
  end
end
local newest, range = {}, redis.call('ZRANGE', KEYS[2], -16, -1, 'WITHSCORES')
for i = 1, #range, 2 do
  if number(range[i + 1]) <= head and not string.find(range[i], '[^\33-\126]') then
    newest[#newest + 1] = range[i]
    newest[#newest + 1] = text(number(range[i + 1]))
  end
end
return {generation, text(head), newest, text(now), lacking and '1' or '0', (all or many) and '1' or '0', many and '1' or '0',
  ended, controls}
