-- Executes an operation on all limits of a request at once: for one request, for several equal ones, or
-- for several one by one.
-- KEYS: the count of each limit.
-- ARGV: the operation; then numbers in one text: the time in us, below 0 for that of the server; the
-- number of requests; how many of them fit at most when nothing is spent; then eight numbers for each
-- limit: the number of its rule, the cost of a request, the reserve (or from when the permits to refund or
-- renew count), a time (the longest wait, in shadow -1 less that, or when these permits were charged), and the
-- four of its algorithm. A limit in shadow is charged if the request fits, and denies nothing. If there is a
-- further text, its two numbers are the times from and before which the request can be decided, as its windows
-- of the calendar are those of that span. At any other time nothing is read or written, and the reply is the
-- time and -1.
-- Reply: numbers in one text: the time, and how many of several requests are admitted; then the results
-- of the last one admitted, if any, and those of the others, if any. The results of a limit are the
-- permits left, the wait until the turn of the request (or the permits that could not be renewed, as they
-- are gone) and the time until nothing is spent, in us; the last is -1 less that if the stored value was unreadable and was overwritten. For requests one by one,
-- the keys, the eight numbers and the results follow one another.
-- Redis runs the whole script for each request, and to create a function takes as long as to run a
-- command. So the script is assembled as text with few functions.

local floor, ceil = math.floor, math.ceil
local LARGEST = 9007199254740992 -- up to which numbers have no gaps
local TTL_MARGIN = 500 -- ms by which a state outlives its count
local LONGEST_LIFE = 11000000000000000 -- us, longer than any state lives

-- A stored state starts with the letter of its rule, the parts that are spent, the parts of a permit, the
-- time it was stored, how far that is ahead of the clock, the time it runs out, and a time of the rule,
-- before which no other rule admits a request: that of the last turn, if it is in the future. Any other
-- value is overwritten as if there were none. Time never steps back for a state: if the clock does, the
-- time of the state is ahead of it.
local STATE, STATE_BYTES = '<c1I7I7I7I7I7I7', 43

local operation, numbers, latest = ARGV[1], ARGV[2], 0 -- latest: the wait until the turn of a request
local now, requests, most = struct.unpack('<ddd', numbers)
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
if ARGV[3] then
  local from, before = struct.unpack('<dd', ARGV[3])
  if now < from or now >= before then return struct.pack('<dd', now, -1) end
end
if operation == 'RESET' then redis.call('DEL', unpack(KEYS)) end
local must_fit = operation == 'ACQUIRE' or operation == 'PEEK'
local refund = operation == 'REFUND' or operation == 'RENEW'
local charge = operation == 'ACQUIRE' or operation == 'CHARGE' or operation == 'RENEW'

--LIMITS--
