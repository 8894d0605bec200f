-- One request with few limits. Each limit is nested in the one before it, and the results follow in turn.

local times, before = 1, 0
local --RESULTS--
--LIMIT--
return struct.pack('<dd--FORMAT--', now, 1, --RESULTS--)
