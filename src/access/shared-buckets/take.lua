-- Takes one message out of a bucket, if it holds a whole one. The rule is that of `token-bucket.ts`: whole units, whole milliseconds.
-- KEYS[1]: the bucket, as three doubles: its debt, since when, and the units refilled a millisecond. One that is full again is forgotten.
-- ARGV: units of a message, units that a bucket may owe and still hold a message, units refilled a millisecond.
-- Returns whether a message was taken (1 or 0), and the debt after that.
local message, most, refill = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local debt, at = 0, now
local stored = redis.call('GET', KEYS[1])
if stored and #stored == 24 then
  local owed, since, rate = struct.unpack('<ddd', stored)
  local passed = now - since
  -- A clock that falls back by up to a second is waited for; a greater step back was the clock being set.
  if passed < 0 and passed >= -1000 then at = since end
  debt = math.max(0, owed - math.max(0, passed) * rate)
end

local taken = debt <= most and 1 or 0
debt = debt + taken * message
redis.call('SET', KEYS[1], struct.pack('<ddd', debt, at, refill), 'PX', at - now + math.ceil(debt / refill))
return {taken, debt}
