-- Leave for some connects out of the bucket's connect rate, which the fleet shares: a token bucket kept as one number,
-- the time at which it will be full again.
--
-- KEYS[1]  that time, in microseconds of Redis' clock
-- ARGV     connects wanted, connects allowed a second, and how many at once after a quiet time
-- Answers how many are allowed now, and after how many milliseconds to ask for the others.
local wanted, burst = tonumber(ARGV[1]), tonumber(ARGV[3])
local interval = 1000000 / tonumber(ARGV[2])
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'))

local there = burst - math.ceil((full - now) / interval)
local allowed = math.max(0, math.min(wanted, there))
if allowed > 0 then
  full = full + allowed * interval
  redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000) + 1)
end
local untilNext = full - now - (burst - 1) * interval
return { allowed, math.max(1, math.ceil(untilNext / 1000)) }
