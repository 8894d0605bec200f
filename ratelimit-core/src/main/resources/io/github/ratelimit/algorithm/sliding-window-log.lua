-- Sliding window log, the twin of SlidingWindowLog.java. p is the permits, q the window.
-- State: a page, then a ring of chunks. An entry is a time (us) and a cost; a chunk has 8 entries.
-- The page is a header, up to a chunk of the oldest entries, and up to a chunk of the newest: most
-- requests read and write no more. The entries between these are in the ring, which grows by half.
-- Header: the time of the rule is that of the newest entry. Then follow the time the key expires (us), the
-- bytes of the oldest and of the newest entries in the page, and of the ring the index of the oldest
-- chunk, the number of chunks and the room for chunks. Entries of waiting requests are in the future.

local PAGE, LOG = '<I7I1I1I4I4I4', STATE .. 'I7I1I1I4I4I4'
local ENTRY, ENTRY_BYTES, CHUNK, CHUNK_BYTES = '<I7I4', 11, 8, 88
local ENTRIES, PAGE_BYTES, LAST_OF_PAGE = 65, 240, '239' -- after the header, 64 bytes, and with two chunks
local MOST_PERMITS = 4294967295

-- The oldest entries are the bytes from oldest to past in text, the newest those from newest to end_of in
-- page. These values are those of a log without a page, which is rewritten as a whole.
local text, oldest, past, page, newest, end_of = '', 1, 1, '', 1, 1
local last, expires, ring_first, chunks, room = 0, 0, 0, 0, 0

local function chunk_of_ring(index)
  local from = 240 + index * 88
  return redis.call('GETRANGE', key, from, from + 87)
end

--READ--
letter, shortest, stored = LETTERS[1], 64, redis.pcall('GETRANGE', key, '0', LAST_OF_PAGE)
if stored == '' then stored = false end

--LOAD--
if stored and not own then
  if since > t and spent < p then spent = p end
  if spent > MOST_PERMITS then spent = MOST_PERMITS end
  text, last = struct.pack(ENTRY, t, spent), t
  past = ENTRY_BYTES + 1
elseif stored then
  last = first
  if last > t - q then
    local old, new
    expires, old, new, ring_first, chunks, room = struct.unpack(PAGE, stored, STATE_BYTES + 1)
    if at >= t then expires = 0 end
    text, page, oldest, past = stored, stored, ENTRIES, ENTRIES + old
    newest, end_of = past, past + new
  else
    spent = 0
  end
end

local entry_time, entry_cost
while spent > 0 do
  if oldest == past then
    if chunks == 0 then
      text, oldest, past, newest = page, newest, end_of, end_of
    else
      text, oldest, past = chunk_of_ring(ring_first), 1, CHUNK_BYTES + 1
      ring_first, chunks = (ring_first + 1) % room, chunks - 1
    end
  end
  entry_time, entry_cost = struct.unpack(ENTRY, text, oldest)
  if entry_time > t - q then break end
  spent, oldest = spent - entry_cost, oldest + ENTRY_BYTES
end

-- Requests that wait already come first.
wait = last > t and last - t or 0
local lacking = spent + required - p
if lacking > 0 then
  local text, oldest, past, ring_first, chunks = text, oldest, past, ring_first, chunks
  while lacking > 0 do
    if entry_time + q - t > wait then wait = entry_time + q - t end
    lacking, oldest = lacking - entry_cost, oldest + ENTRY_BYTES
    if lacking > 0 then
      if oldest == past then
        if chunks == 0 then
          text, oldest, past = page, newest, end_of
        else
          text, oldest, past = chunk_of_ring(ring_first), 1, CHUNK_BYTES + 1
          ring_first, chunks = (ring_first + 1) % room, chunks - 1
        end
      end
      entry_time, entry_cost = struct.unpack(ENTRY, text, oldest)
    end
  end
end

--REFUND--
save = true
-- Subtracts a cost from the entries of a time among those from at to past in a text, from the last one on.
-- Returns the text, the cost that is left, and whether there can be no more entries of that time.
local function subtract(text, at, past, time, cost)
  for entry = past - ENTRY_BYTES, at, -ENTRY_BYTES do
    local entry_time, entry_cost = struct.unpack(ENTRY, text, entry)
    if entry_time < time or cost == 0 then return text, cost, true end
    if entry_time == time then
      local refunded = cost < entry_cost and cost or entry_cost
      cost = cost - refunded
      text = string.sub(text, 1, entry - 1) .. struct.pack(ENTRY, time, entry_cost - refunded)
        .. string.sub(text, entry + ENTRY_BYTES)
    end
  end
  return text, cost, cost == 0
end

local left_over, over = cost, false
page, left_over, over = subtract(page, newest, end_of, turn, left_over)
for chunk = chunks - 1, 0, -1 do
  if over then break end
  local index = (ring_first + chunk) % room
  local before, after = chunk_of_ring(index)
  after, left_over, over = subtract(before, 1, CHUNK_BYTES + 1, turn, left_over)
  if after ~= before then redis.call('SETRANGE', key, PAGE_BYTES + index * CHUNK_BYTES, after) end
end
if not over then text, left_over = subtract(text, oldest, past, turn, left_over) end
spent = spent - cost + left_over

--WRITE--
local entry = ''
if cost > 0 then
  if cost > MOST_PERMITS then cost = MOST_PERMITS end
  local turn = t + (wait > latest and wait or latest)
  if turn > last then last = turn end
  spent, entry = spent + cost, struct.pack(ENTRY, last, cost)
end
reset = spent > 0 and last + q - t or 0
if save then
  local ends, ttl = t + reset, ceil(reset / 1000) + TTL_MARGIN
  local keep = expires >= ends and expires <= ends + 2000 * TTL_MARGIN
  if not keep then expires = t + ttl * 1000 end

  local old, new = string.sub(text, oldest, past - 1), string.sub(page, newest, end_of - 1)
  local full, ring = #new == CHUNK_BYTES
  if room == 0 or full and chunks == room then
    -- Splits all entries again into the oldest, the newest and, if the page is too small, a ring.
    if chunks > 0 then
      ring = redis.call('GETRANGE', key, PAGE_BYTES, -1)
      local from = ring_first * CHUNK_BYTES
      ring = string.sub(string.sub(ring, from + 1) .. string.sub(ring, 1, from), 1, chunks * CHUNK_BYTES)
      old = old .. ring
    end
    local entries = old .. new .. entry
    ring_first, chunks, room, ring = 0, ceil(#entries / CHUNK_BYTES) - 2, 0, ''
    if chunks < 1 then
      chunks = 0
    else
      room = floor(chunks * 3 / 2) + 1
      if room > floor(p / CHUNK) then room = floor(p / CHUNK) end
      if room < chunks then room = chunks end
    end
    local middle = (chunks + 1) * CHUNK_BYTES
    old, new = string.sub(entries, 1, CHUNK_BYTES), string.sub(entries, middle + 1)
    if chunks > 0 then
      ring = string.rep('\0', CHUNK_BYTES - #new) .. string.sub(entries, CHUNK_BYTES + 1, middle)
        .. string.rep('\0', (room - chunks) * CHUNK_BYTES)
    end
  elseif full then
    local index = (ring_first + chunks) % room
    redis.call('SETRANGE', key, PAGE_BYTES + index * CHUNK_BYTES, new)
    new, chunks = entry, chunks + 1
  else
    new = new .. entry
  end

  page = struct.pack(LOG, LETTERS[1], spent, 1, t, ahead, ends, last, expires, #old, #new, ring_first, chunks, room)
    .. old .. new
  if ring then
    redis.call('SET', key, page .. ring, 'PX', ttl)
  else
    redis.call('SETRANGE', key, 0, page)
    if not keep then redis.call('PEXPIRE', key, ttl) end
  end
end
left = last <= t and p - spent or 0
if left < 0 then left = 0 end
