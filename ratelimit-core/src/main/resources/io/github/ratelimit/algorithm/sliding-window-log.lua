-- Sliding window log, the twin of SlidingWindowLog.java.
-- State: a header, then a ring of entries of 11 bytes, each a time (us) and a cost.
-- Header: permits in the log, 1, place of the oldest entry, number of entries, entries that the
-- ring has room for, and the newest entry once more.
-- The ring grows by half when it is full, and is read and written in place but for that.

local log = {}
rules['sliding-window-log'] = log

local HEADER, HEADER_BYTES = '<c1ddI4I4I4I7I4', 40
local ENTRY, ENTRY_BYTES = '<I7I4', 11

local function bytes(key, place, count)
  if count <= 0 then return '' end
  local from = HEADER_BYTES + place * ENTRY_BYTES
  return redis.call('GETRANGE', key, from, from + count * ENTRY_BYTES - 1)
end

-- All entries but the newest, in order.
local function older(key, s)
  if s.body then return s.body end
  local count = s.count - 1
  local to_end = s.room - s.oldest
  if count <= to_end then return bytes(key, s.oldest, count) end
  return bytes(key, s.oldest, to_end) .. bytes(key, 0, count - to_end)
end

-- Answers a function from the number of an entry, from the oldest on, to its time and cost.
-- Entries are asked for in rising order, and read in chunks of rising size.
local function reader(key, s)
  local chunk, first, past, size = s.body or '', 0, s.body and s.count - 1 or 0, 4
  local oldest, last, room, newest, newest_cost = s.oldest, s.count - 1, s.room, s.newest, s.newest_cost
  return function(entry)
    if entry == last then return newest, newest_cost end
    if entry >= past then
      local place = (oldest + entry) % room
      local count = size < room - place and size or room - place
      chunk, first, past, size = bytes(key, place, count), entry, entry + count, size * 4
    end
    return struct.unpack(ENTRY, chunk, (entry - first) * ENTRY_BYTES + 1)
  end
end

-- Entries ahead of a clock that stepped back become one entry of now.
local function rewind(key, s, now)
  local body, cost = older(key, s), s.newest_cost
  local count = s.count - 1
  while count > 0 do
    local time, entry_cost = struct.unpack(ENTRY, body, (count - 1) * ENTRY_BYTES + 1)
    if time < now then break end
    cost, count = cost + entry_cost, count - 1
  end
  s.body, s.oldest, s.count = string.sub(body, 1, count * ENTRY_BYTES), 0, count + 1
  s.newest, s.newest_cost = now, cost
end

local function read(key, now, permits)
  local stored = redis.call('GETRANGE', key, 0, HEADER_BYTES - 1)
  if stored == '' then return { spent = 0, oldest = 0, count = 0, room = 0, newest = 0, newest_cost = 0 }, false end
  local tag, spent, unit = struct.unpack('<c1dd', stored)
  if tag ~= 'l' then
    spent = ceil(spent / unit)
    if spent > permits then spent = permits end
    return { spent = spent, oldest = 0, count = 1, room = 0, newest = now, newest_cost = spent, body = '' }, true
  end
  local s = { spent = spent }
  tag, spent, unit, s.oldest, s.count, s.room, s.newest, s.newest_cost = struct.unpack(HEADER, stored)
  if s.count == 0 or s.newest <= now then return s, false end
  rewind(key, s, now)
  return s, true
end

function log.load(key, now, cost, permits, window)
  local s, dirty = read(key, now, permits)
  local entry, time, entry_cost = reader(key, s)
  local expired = 0
  while expired < s.count do
    time, entry_cost = entry(expired)
    if time > now - window then break end
    s.spent, expired = s.spent - entry_cost, expired + 1
  end
  local wait, lacking, next = 0, s.spent + cost - permits, expired
  while lacking > 0 do
    time, entry_cost = entry(next)
    lacking, next, wait = lacking - entry_cost, next + 1, time + window - now
  end
  if s.body then s.body = string.sub(s.body, expired * ENTRY_BYTES + 1) end
  if s.room > 0 then s.oldest = (s.oldest + expired) % s.room end
  s.count = s.count - expired
  return s, wait, dirty
end

local function header(s)
  return struct.pack(HEADER, 'l', s.spent, 1, s.oldest, s.count, s.room, s.newest, s.newest_cost)
end

local function rewrite(key, s, permits, ttl)
  local body = older(key, s) .. struct.pack(ENTRY, s.newest, s.newest_cost)
  local room = floor(s.count * 3 / 2)
  if room > permits then room = permits end
  if room < 8 then room = 8 end
  if room < s.count then room = s.count end
  s.oldest, s.room = 0, room
  redis.call('SET', key, header(s) .. body .. string.rep('\0', (room - s.count) * ENTRY_BYTES), 'PX', ttl)
end

function log.save(key, now, cost, permits, window, _, _, s)
  if cost > 0 then
    s.spent = s.spent + cost
    if s.count > 0 and s.newest == now then
      s.newest_cost = s.newest_cost + cost
    else
      if s.body and s.count > 0 then s.body = s.body .. struct.pack(ENTRY, s.newest, s.newest_cost) end
      s.count, s.newest, s.newest_cost = s.count + 1, now, cost
    end
  end
  local ttl = ceil((s.newest + window - now) / 1000) + TTL_MARGIN
  if s.body or s.count > s.room then
    rewrite(key, s, permits, ttl)
  else
    local place = (s.oldest + s.count - 1) % s.room
    redis.call('SETRANGE', key, HEADER_BYTES + place * ENTRY_BYTES, struct.pack(ENTRY, s.newest, s.newest_cost))
    redis.call('SETRANGE', key, 0, header(s))
    redis.call('PEXPIRE', key, ttl)
  end
  return s
end

function log.report(now, permits, window, _, _, s)
  local left, reset = permits - s.spent, s.newest + window - now
  return left > 0 and left or 0, s.count > 0 and reset > 0 and reset or 0
end
