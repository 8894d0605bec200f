-- Several equal requests, or one with many limits.

local times, results

local function decide(i)
--LIMIT--
end

-- Returns the results of all limits for a number of requests at once.
local function decide_all(count, charging)
  times, charge, results, latest = count, charging, '', 0
  if #KEYS > 0 then decide(1) end
  return results
end

if requests == 1 then return struct.pack('<dd', now, 1) .. decide_all(1, charge) end

-- None of the requests waits, so at one instant the first ones fit and the others do not.
local admitted = requests < most and requests or most
local reply = decide_all(admitted, true)
if not charge then
  for i = 1, #KEYS do
    local _, cost, reserve = struct.unpack('<ddd', numbers, 64 * i - 39)
    local fitting = floor((struct.unpack('<d', reply, 24 * i - 23) - reserve) / cost)
    if fitting < admitted then admitted = fitting > 0 and fitting or 0 end
  end
  reply = admitted > 0 and decide_all(admitted, true) or ''
end
if admitted < requests then reply = reply .. decide_all(1, false) end
return struct.pack('<dd', now, admitted) .. reply
