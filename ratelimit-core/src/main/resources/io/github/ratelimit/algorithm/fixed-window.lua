-- Fixed window, the twin of FixedWindow.java.
-- State: permits spent in the window, 1, time the window ends (us).

local window = {}
rules['fixed-window'] = window

-- Answers the permits spent and the end of the window as one table.
function window.load(key, now, cost, permits, length)
  local spent, ends, dirty = 0, now, false
  local state = redis.call('GET', key)
  if state then
    local tag, unit
    tag, spent, unit, ends = struct.unpack('<c1ddd', state)
    if tag ~= 'f' then
      spent, ends, dirty = ceil(spent / unit), now + length, true
    elseif ends > now + length then
      ends, dirty = now + length, true
    end
    if ends <= now then
      spent = 0
    elseif spent > permits then
      spent = permits
    end
  end
  local wait = spent + cost <= permits and 0 or ends - now
  return { spent, ends }, wait, dirty
end

function window.save(key, now, cost, permits, length, _, _, state)
  state[1] = state[1] + cost
  if state[2] <= now then state[2] = now + length end
  local ttl = ceil((state[2] - now) / 1000) + TTL_MARGIN
  redis.call('SET', key, struct.pack('<c1ddd', 'f', state[1], 1, state[2]), 'PX', ttl)
  return state
end

function window.report(now, permits, length, _, _, state)
  return permits - state[1], state[2] > now and state[2] - now or 0
end
