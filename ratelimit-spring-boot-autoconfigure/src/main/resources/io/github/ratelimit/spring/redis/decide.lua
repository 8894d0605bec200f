-- Carries out an operation on every limit of a call at once, for one call, for several that ask the
-- same, or for several one by one.
-- KEYS: a count for each limit.
-- ARGV: the operation; then numbers in one text: the time in us, below 0 for the server's; how many
-- calls there are; how many of them fit at most when nothing is spent; then eight for each limit: which
-- of the rules is its, the cost of a call, the reserve, a time (how long to wait at most, in shadow -1
-- less that, or when what is given back was charged), and the four of its algorithm. A limit in shadow
-- is charged if it fits, and denies nothing.
-- Answers numbers in one text: the time, and how many of several calls are admitted; then what the
-- limits say to the last of these, if any, and what they say to the others, if any: for each limit the
-- permits left, the wait until the call has its place and the wait until nothing is spent, in us; or -1
-- less the last of these where what was stored could not be read and was overwritten. Of
-- calls one by one, the keys, the eight numbers and what is told follow one another.
-- Redis runs all of this anew for each call, and a function takes as long to make as a command to run:
-- so parts are put together as text, and there are few functions.

local floor, ceil = math.floor, math.ceil
local LARGEST = 9007199254740992 -- up to which numbers have no gaps
local TTL_MARGIN = 500 -- ms, so that no state expires while it still counts
local LONGEST_LIFE = 11000000000000000 -- us, which no state lives for

-- A stored state begins with a letter for its rule, what is spent, in how many parts of a permit, the
-- time it was stored, how far that is ahead of the clock, the time it will have run out, and a time of
-- the rule's own, before which no other rule admits a call: that of the last place in line, if it is yet
-- to come. Whatever is no such text is overwritten as if there were nothing. Time never steps back for a state: where the clock does, the state's own time is
-- ahead of it.
local STATE, STATE_BYTES = '<c1I7I7I7I7I7I7', 43

local operation, numbers = ARGV[1], ARGV[2]
local now, calls, most = struct.unpack('<ddd', numbers)
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
if operation == 'RESET' then redis.call('DEL', unpack(KEYS)) end
local asks = operation == 'ACQUIRE' or operation == 'PEEK'
local charge = operation == 'ACQUIRE' or operation == 'CHARGE'

--LIMITS--
