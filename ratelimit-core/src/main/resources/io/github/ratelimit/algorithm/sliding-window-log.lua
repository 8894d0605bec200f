-- Sliding window log, the twin of SlidingWindowLog.java.
-- State: a page, then a ring of chunks. An entry is a time (us) and a cost; a chunk is 8 entries.
-- The page is a header, up to a chunk of the oldest entries, and up to a chunk of the newest: most
-- calls read and write no more. The entries between these are in the ring, which grows by half.
-- Header: permits in the log, 1, time of the newest entry, time the key expires (us), bytes of
-- oldest and of newest entries in the page, then of the ring: place of the oldest chunk, number of
-- chunks, and how many it has room for.

local HEADER, HEADER_BYTES = '<c1ddI7I7I1I1I4I4I4', 45
local ENTRY, ENTRY_BYTES, CHUNK, CHUNK_BYTES = '<I7I4', 11, 8, 88
local PAGE_BYTES = HEADER_BYTES + 2 * CHUNK_BYTES

-- A log as it is worked on: its oldest entries are the bytes from at to past in text, its newest
-- those from new_at to new_past in page. This one is at hand as a whole, to be written anew.
local function whole(spent, entries, last)
  return { spent = spent, last = last, expires = 0, text = entries, at = 1, past = #entries + 1,
    page = '', new_at = 1, new_past = 1, first = 0, chunks = 0, room = 0 }
end

-- Puts the entries that follow in the place of the oldest ones.
local function advance(key, log)
  if log.chunks == 0 then
    log.text, log.at, log.past, log.new_at = log.page, log.new_at, log.new_past, log.new_past
  else
    local from = PAGE_BYTES + log.first * CHUNK_BYTES
    log.text, log.at, log.past = redis.call('GETRANGE', key, from, from + CHUNK_BYTES - 1), 1, CHUNK_BYTES + 1
    log.first, log.chunks = (log.first + 1) % log.room, log.chunks - 1
  end
end

-- All entries in order. Those ahead of a clock that stepped back become one entry of now.
local function all_entries(key, log, now)
  local ring = ''
  if log.chunks > 0 then
    local from = log.first * CHUNK_BYTES
    ring = redis.call('GETRANGE', key, PAGE_BYTES, -1)
    ring = string.sub(string.sub(ring, from + 1) .. string.sub(ring, 1, from), 1, log.chunks * CHUNK_BYTES)
  end
  local entries = string.sub(log.text, log.at, log.past - 1) .. ring .. string.sub(log.page, log.new_at, log.new_past - 1)
  local size, cost = #entries, 0
  while size > 0 do
    local time, entry_cost = struct.unpack(ENTRY, entries, size - ENTRY_BYTES + 1)
    if time <= now then break end
    cost, size = cost + entry_cost, size - ENTRY_BYTES
  end
  if cost == 0 then return entries end
  return string.sub(entries, 1, size) .. struct.pack(ENTRY, now, cost)
end

-- Parts entries anew into the oldest, the newest and what follows the page: a ring, if the page
-- does not hold them all.
local function part(log, entries, permits)
  local chunks, room = ceil(#entries / CHUNK_BYTES) - 2, 0
  if chunks < 1 then
    chunks = 0
  else
    room = floor(chunks * 3 / 2) + 1
    if room > floor(permits / CHUNK) then room = floor(permits / CHUNK) end
    if room < chunks then room = chunks end
  end
  log.first, log.chunks, log.room = 0, chunks, room
  local past = (chunks + 1) * CHUNK_BYTES
  local oldest, newest = string.sub(entries, 1, CHUNK_BYTES), string.sub(entries, past + 1)
  if chunks == 0 then return oldest, newest, '' end
  return oldest, newest, string.rep('\0', CHUNK_BYTES - #newest) .. string.sub(entries, CHUNK_BYTES + 1, past)
    .. string.rep('\0', (room - chunks) * CHUNK_BYTES)
end

rules['sliding-window-log'] = {
  load = function(key, now, cost, permits, window)
    local page, log, dirty = redis.call('GETRANGE', key, 0, PAGE_BYTES - 1), nil, false
    if string.sub(page, 1, 1) == 'l' then
      local _, spent, _, last, expires, old, new, first, chunks, room = struct.unpack(HEADER, page)
      local new_at = HEADER_BYTES + 1 + old
      log = { spent = spent, last = last, expires = expires, text = page, at = HEADER_BYTES + 1, past = new_at,
        page = page, new_at = new_at, new_past = new_at + new, first = first, chunks = chunks, room = room }
      if last <= now - window then
        log = whole(0, '', last)
      elseif last > now then
        log, dirty = whole(spent, all_entries(key, log, now), now), true
      end
    elseif page ~= '' then
      local _, spent, unit = struct.unpack('<c1dd', page)
      spent = ceil(spent / unit)
      if spent > permits then spent = permits end
      log, dirty = whole(spent, struct.pack(ENTRY, now, spent), now), true
    else
      log = whole(0, '', now)
    end

    local spent, wait, time, entry_cost = log.spent, 0
    while spent > 0 do
      if log.at == log.past then advance(key, log) end
      time, entry_cost = struct.unpack(ENTRY, log.text, log.at)
      if time > now - window then break end
      spent, log.at = spent - entry_cost, log.at + ENTRY_BYTES
    end
    log.spent = spent

    -- A wait is a denial, after which a log is saved only if it is at hand as a whole.
    local lacking, at = spent + cost - permits, log.at
    while lacking > 0 do
      lacking, wait, at = lacking - entry_cost, time + window - now, at + ENTRY_BYTES
      if lacking > 0 then
        if at == log.past then
          advance(key, log)
          at = log.at
        end
        time, entry_cost = struct.unpack(ENTRY, log.text, at)
      end
    end
    return log, wait, dirty
  end,

  settle = function(key, now, cost, permits, window, _, _, log, save)
    if save then
      local entry = ''
      if cost > 0 then
        log.spent, log.last, entry = log.spent + cost, now, struct.pack(ENTRY, now, cost)
      end
      local horizon, expires = log.last + window, log.expires
      local ttl = ceil((horizon - now) / 1000) + TTL_MARGIN
      local keep = expires >= horizon and expires <= horizon + 2000 * TTL_MARGIN
      if not keep then expires = now + ttl * 1000 end

      local full, oldest, newest, rest = log.new_past - log.new_at == CHUNK_BYTES
      if log.room == 0 or full and log.chunks == log.room then
        oldest, newest, rest = part(log, all_entries(key, log, now) .. entry, permits)
      else
        oldest = string.sub(log.text, log.at, log.past - 1)
        newest = string.sub(log.page, log.new_at, log.new_past - 1)
        if full then
          local place = (log.first + log.chunks) % log.room
          redis.call('SETRANGE', key, PAGE_BYTES + place * CHUNK_BYTES, newest)
          newest, log.chunks = '', log.chunks + 1
        end
        newest = newest .. entry
      end
      local page = struct.pack(HEADER, 'l', log.spent, 1, log.last, expires, #oldest, #newest, log.first, log.chunks,
        log.room) .. oldest .. newest
      if rest then
        redis.call('SET', key, page .. rest, 'PX', ttl)
      else
        redis.call('SETRANGE', key, 0, page)
        if not keep then redis.call('PEXPIRE', key, ttl) end
      end
    end
    local left = permits - log.spent
    return left > 0 and left or 0, log.spent > 0 and log.last + window - now or 0
  end,
}
