-- Fixed window, the twin of FixedWindow.java.
-- State: length of a window (us), 0 where they follow the calendar. Permits spent and the end of the
-- window are in the header.
-- Windows begin with a first charge, and window is their length; or they follow the calendar, and
-- window is the begin of the one of now, this_end its end, and next_end that of the one after it.

local FORMAT = HEADER .. 'I7'

local function begin(ends, window, this_end, next_end)
  if this_end == 0 then return ends - window end
  return ends == next_end and this_end or window
end

local function end_of(time, window, this_end, next_end)
  if this_end == 0 then return time + window end
  return time < this_end and this_end or next_end
end

rules[#rules + 1] = {
  tag = 'f',

  -- Answers the permits spent, the end of the window and the clock's time as one table.
  load = function(stored, own, spent, _, _, t, asked, permits, window, this_end, next_end, skew, ends)
    local changed = false
    if this_end > 0 then t = t - skew end
    if not stored then
      spent, ends = 0, 0
    elseif not own then
      ends = spent > 0 and end_of(t, window, this_end, next_end) or 0
    else
      local length = struct.unpack('<I7', stored, HEADER_BYTES + 1)
      local other = length ~= (this_end > 0 and 0 or window)
      if other or this_end > 0 and ends > this_end and ends ~= next_end then
        local latest = end_of(t, window, this_end, next_end)
        if ends > latest then ends = latest end
        changed = true
      end
    end
    local wait = ends - t
    if ends <= t or spent + asked <= permits then
      wait = ends > t and begin(ends, window, this_end, next_end) - t or 0
    end
    return { spent, ends, t }, wait > 0 and wait or 0, changed
  end,

  give_back = operation == 'GIVE_BACK' and function(state, _, cost, place, _, window, this_end, next_end)
    if place >= begin(state[2], window, this_end, next_end) then
      state[1] = state[1] > cost and state[1] - cost or 0
    end
    return state
  end,

  settle = function(key, _, skew, cost, wait, permits, window, this_end, next_end, state, save)
    local spent, ends, t = state[1], state[2], state[3]
    if cost > 0 then
      if ends <= t + wait then
        spent, ends = cost, end_of(t + wait, window, this_end, next_end)
      else
        spent = spent + cost
        if spent > LARGEST then spent = LARGEST end
      end
    end
    local length, written = window, t
    if this_end > 0 then length, written, skew = 0, 0, 0 end
    local reset = ends > t and ends - t or 0
    if save then
      redis.call('SET', key, struct.pack(FORMAT, 'f', spent, 1, written, skew, ends, length), 'PX',
        ceil(reset / 1000) + TTL_MARGIN)
    end
    if reset == 0 then return permits, 0 end
    local begun = begin(ends, window, this_end, next_end) <= t
    return begun and spent < permits and permits - spent or 0, reset
  end,
}
