-- Sliding window log, the twin of SlidingWindowLog.java.
-- State: a page, then a ring of chunks. An entry is a time (us) and a cost; a chunk is 8 entries.
-- The page is a header, up to a chunk of the oldest entries, and up to a chunk of the newest: most
-- calls read and write no more. The entries between these are in the ring, which grows by half.
-- State: time of the newest entry, time the key expires (us), bytes of oldest and of newest entries in
-- the page, then of the ring: place of the oldest chunk, number of chunks, and how many it has room
-- for. Permits in the log are in the header. Entries of calls that wait in line are of times to come.

local STATE, STATE_BYTES = 'I7I7I1I1I4I4I4', HEADER_BYTES + 28
local FORMAT, STATE_FORMAT = HEADER .. STATE, '<' .. STATE
local ENTRY, ENTRY_BYTES, CHUNK, CHUNK_BYTES = '<I7I4', 11, 8, 88
local MOST_PERMITS = 4294967295
local PAGE_BYTES = STATE_BYTES + 2 * CHUNK_BYTES
local LAST_OF_PAGE = tostring(PAGE_BYTES - 1)

-- A log as it is worked on: its oldest entries are the bytes from at to past in text, its newest
-- those from new_at to new_past in page. This one is at hand as a whole, to be written anew.
local function whole(spent, entries, last)
  return { spent = spent, last = last, expires = 0, text = entries, at = 1, past = #entries + 1,
    page = '', new_at = 1, new_past = 1, first = 0, chunks = 0, room = 0 }
end

-- The entries that follow those in the text: a chunk of the ring, or else the newest. Answers them as
-- a text, from where and to where, and the place and number of the chunks that follow them.
local function following(key, log, first, chunks)
  if chunks == 0 then return log.page, log.new_at, log.new_past, first, 0 end
  local from = PAGE_BYTES + first * CHUNK_BYTES
  local chunk = redis.call('GETRANGE', key, from, from + CHUNK_BYTES - 1)
  return chunk, 1, CHUNK_BYTES + 1, (first + 1) % log.room, chunks - 1
end

-- Parts all entries of a log anew, and one that is added, into the oldest, the newest and what follows
-- the page: a ring, if the page does not hold them all.
local function part(key, log, entry, permits)
  local ring = ''
  if log.chunks > 0 then
    local from = log.first * CHUNK_BYTES
    ring = redis.call('GETRANGE', key, PAGE_BYTES, -1)
    ring = string.sub(string.sub(ring, from + 1) .. string.sub(ring, 1, from), 1, log.chunks * CHUNK_BYTES)
  end
  local entries = string.sub(log.text, log.at, log.past - 1) .. ring
    .. string.sub(log.page, log.new_at, log.new_past - 1) .. entry

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

rules[#rules + 1] = {
  tag = 'l',

  read = function(key)
    local page = redis.call('GETRANGE', key, '0', LAST_OF_PAGE)
    return page ~= '' and page
  end,

  load = function(page, own, spent, _, written, t, asked, permits, window, _, _, _, _, key)
    local log
    if not page then
      log = whole(0, '', 0)
    elseif not own then
      if spent > MOST_PERMITS then spent = MOST_PERMITS end
      log = whole(spent, struct.pack(ENTRY, t, spent), t)
    else
      local last, expires, old, new, first, chunks, room = struct.unpack(STATE_FORMAT, page, HEADER_BYTES + 1)
      local new_at = STATE_BYTES + 1 + old
      log = { spent = spent, last = last, expires = written < t and expires or 0, text = page, at = STATE_BYTES + 1,
        past = new_at, page = page, new_at = new_at, new_past = new_at + new, first = first, chunks = chunks, room = room }
      if last <= t - window then log = whole(0, '', last) end
    end

    local spent, wait, time, entry_cost = log.spent, 0
    while spent > 0 do
      if log.at == log.past then
        local newest = log.chunks == 0
        log.text, log.at, log.past, log.first, log.chunks = following(key, log, log.first, log.chunks)
        if newest then log.new_at = log.new_past end
      end
      time, entry_cost = struct.unpack(ENTRY, log.text, log.at)
      if time > t - window then break end
      spent, log.at = spent - entry_cost, log.at + ENTRY_BYTES
    end
    log.spent = spent

    -- Those that wait in line come first.
    if log.last > t then wait = log.last - t end
    local lacking, text, at, past = spent + asked - permits, log.text, log.at, log.past
    local first, chunks = log.first, log.chunks
    while lacking > 0 do
      if time + window - t > wait then wait = time + window - t end
      lacking, at = lacking - entry_cost, at + ENTRY_BYTES
      if lacking > 0 then
        if at == past then
          text, at, past, first, chunks = following(key, log, first, chunks)
        end
        time, entry_cost = struct.unpack(ENTRY, text, at)
      end
    end
    return log, wait, false
  end,

  give_back = operation == 'GIVE_BACK' and function(log, _, cost, place, _, _, _, _, key)
    -- Takes a cost from the entries of a time among those from at to past in a text, the last ones first.
    -- Answers the text, the cost that is left, and whether there can be no more entries of that time.
    local function lessen(text, at, past, time, cost)
      for entry = past - ENTRY_BYTES, at, -ENTRY_BYTES do
        local entry_time, entry_cost = struct.unpack(ENTRY, text, entry)
        if entry_time < time or cost == 0 then return text, cost, true end
        if entry_time == time then
          local given = cost < entry_cost and cost or entry_cost
          cost = cost - given
          text = string.sub(text, 1, entry - 1) .. struct.pack(ENTRY, time, entry_cost - given)
            .. string.sub(text, entry + ENTRY_BYTES)
        end
      end
      return text, cost, cost == 0
    end

    local left, over = cost, false
    log.page, left, over = lessen(log.page, log.new_at, log.new_past, place, left)
    for chunk = log.chunks - 1, 0, -1 do
      if over then break end
      local from = PAGE_BYTES + (log.first + chunk) % log.room * CHUNK_BYTES
      local before = redis.call('GETRANGE', key, from, from + CHUNK_BYTES - 1)
      local after
      after, left, over = lessen(before, 1, CHUNK_BYTES + 1, place, left)
      if after ~= before then redis.call('SETRANGE', key, from, after) end
    end
    if not over then log.text, left = lessen(log.text, log.at, log.past, place, left) end
    log.spent = log.spent - cost + left
    return log
  end,

  settle = function(key, t, skew, cost, wait, permits, window, _, _, log, save)
    local entry = ''
    if cost > 0 then
      if cost > MOST_PERMITS then cost = MOST_PERMITS end
      if t + wait > log.last then log.last = t + wait end
      log.spent, entry = log.spent + cost, struct.pack(ENTRY, log.last, cost)
    end
    local reset = log.spent > 0 and log.last + window - t or 0
    if save then
      local ends, expires = t + reset, log.expires
      local ttl = ceil(reset / 1000) + TTL_MARGIN
      local keep = expires >= ends and expires <= ends + 2000 * TTL_MARGIN
      if not keep then expires = t + ttl * 1000 end

      local full, oldest, newest, rest = log.new_past - log.new_at == CHUNK_BYTES
      if log.room == 0 or full and log.chunks == log.room then
        oldest, newest, rest = part(key, log, entry, permits)
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
      local page = struct.pack(FORMAT, 'l', log.spent, 1, t, skew, ends, log.last, expires, #oldest, #newest,
        log.first, log.chunks, log.room) .. oldest .. newest
      if rest then
        redis.call('SET', key, page .. rest, 'PX', ttl)
      else
        redis.call('SETRANGE', key, 0, page)
        if not keep then redis.call('PEXPIRE', key, ttl) end
      end
    end
    local left = log.last <= t and permits - log.spent or 0
    return left > 0 and left or 0, reset
  end,
}
