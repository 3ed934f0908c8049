-- Permits for some connects out of the bucket's connect rate, which the fleet shares. A token bucket spreads them; a window
-- bounds how many count at a time, so that no second has more of them than the rate.
--
-- KEYS[1]  the token bucket: the time at which it will be full again, in microseconds of Redis' clock. Instances of versions
--          without the window know this key alone, and take from the same token bucket
-- KEYS[2]  the window: the cell of time in which it was written, then rest:connects for connects that count for that
--          many cells from then on
-- ARGV     connects wanted, connects allowed a second, how many at once after a quiet time, and for how many microseconds a
--          connect that is permitted now counts
-- Answers how many are permitted now, and after how many milliseconds to ask for the others.
local CELL = 10000 -- microseconds
local wanted, rate, burst, counts = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local interval = 1000000 / rate
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local cell = math.floor(now / CELL)

local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'))
local function keepFull()
  redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000) + 1)
end
if full > now + burst * interval then
  full = now + burst * interval -- the rate was raised, or Redis' clock set back: no more than the burst is missing
  keepFull()
end

local kept = redis.call('GET', KEYS[2]) or ''
local written = tonumber(string.match(kept, '^%d+')) or cell
local passed = math.max(0, cell - written) -- none, if Redis' clock was set back
local rests, connects, counting = {}, {}, 0
local function count(rest, n)
  if not connects[rest] then
    rests[#rests + 1] = rest
  end
  connects[rest] = (connects[rest] or 0) + n
  counting = counting + n
end
for rest, n in string.gmatch(kept, '(%d+):(%d+)') do
  if tonumber(rest) > passed then
    count(rest - passed, tonumber(n))
  end
end

local there = math.min(burst - math.ceil((full - now) / interval), rate - counting)
local permitted = math.max(0, math.min(wanted, there))
if permitted > 0 then
  full = full + permitted * interval
  keepFull()
  count(math.ceil((now + counts) / CELL) - cell, permitted)
end
table.sort(rests)
if permitted > 0 or (cell < written and #rests > 0) then
  local text = { string.format('%.0f', cell) }
  for _, rest in ipairs(rests) do
    text[#text + 1] = string.format('%.0f:%.0f', rest, connects[rest])
  end
  redis.call('SET', KEYS[2], table.concat(text, ' '), 'PX', (rests[#rests] + 1) * CELL / 1000)
end

local untilNext = full - now - (burst - 1) * interval
local i = 0
while counting >= rate do
  i = i + 1
  counting = counting - connects[rests[i]]
  untilNext = math.max(untilNext, (cell + rests[i]) * CELL - now)
end
return { permitted, math.max(1, math.ceil(untilNext / 1000)) }
