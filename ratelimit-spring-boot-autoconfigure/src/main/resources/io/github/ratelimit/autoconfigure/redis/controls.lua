-- The begin of all scripts of controls, and how the store finds out that it has lost some:
-- see Revision.java.
-- KEYS: controls, revisions, ends. Fields of the controls that begin with ':' are the state of
-- the store: ':generation', ':head', the newest revision, ':restored', the newest revision that
-- was written back, and ':known:G', the newest revision of generation G that this one includes.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local hour = 3600000000

-- Also keeps Redis from evicting the keys, which it would take for idle.
local whole = redis.call('TOUCH', KEYS[1], KEYS[2], KEYS[3]) == 3

-- Whoever writes to Redis may have written anything.
local function number(value)
  local read = tonumber(value or '0') or 0
  return (read >= 0 and read < 9e15) and read or 0
end

local function text(value)
  return string.format('%.0f', value)
end

local function state(field)
  return redis.call('HGET', KEYS[1], field)
end

local generation = state(':generation') or ''
local head = number(state(':head'))

-- ARGV has the newest known changes from one index to another, as pairs of an identifier and its
-- revision.
local function lacks(ofGeneration, known, first, last)
  if known == 0 then return false end
  if not whole then return true end
  if ofGeneration ~= generation then
    return number(state(':known:' .. ofGeneration) or state(':restored')) < known
  end
  for i = first, last, 2 do
    if number(redis.call('ZSCORE', KEYS[2], ARGV[i])) < number(ARGV[i + 1]) then return true end
  end
  return head < known
end

-- A store that has lost one of its keys begins anew, with what instances write back.
local function beginAnew()
  redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
  generation, head = '', 0
end

local function expireWithTheLast()
  local last = redis.call('ZRANGE', KEYS[3], -1, -1, 'WITHSCORES')[2]
  for i = 1, #KEYS do
    if tonumber(last) > 9e15 then
      redis.call('PERSIST', KEYS[i])
    else
      redis.call('PEXPIREAT', KEYS[i], text((number(last) + hour) / 1000))
    end
  end
end

