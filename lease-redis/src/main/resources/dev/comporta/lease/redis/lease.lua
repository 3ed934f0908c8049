-- One call of one instance about one bucket: everything the fleet decides about the bucket's slots is decided here.
-- The steps have the names they have in LeaseBook, which the model checker runs in place of this script.
--
-- KEYS[1]  the bucket's books: a hash of scalars, and of one entry for each instance ('i:' and its name, as JSON)
-- ARGV     instance, channel prefix, publishing command, then the call as in LeaseCall:
--          form, incarnation, seq, acked, seen, returned, asked, atOnce, idle, limit, its version, the last change's
--          version and limit, fleet; at last the time to live
local books = KEYS[1]
local name, channel, publish = ARGV[1], ARGV[2], ARGV[3]
local call = {
  form = ARGV[4], incarnation = tonumber(ARGV[5]), seq = tonumber(ARGV[6]), acked = tonumber(ARGV[7]),
  seen = tonumber(ARGV[8]), returned = tonumber(ARGV[9]), asked = tonumber(ARGV[10]), atOnce = tonumber(ARGV[11]),
  idle = tonumber(ARGV[12]), limit = tonumber(ARGV[13]), version = tonumber(ARGV[14]), changeVersion = tonumber(ARGV[15]),
  changeMax = tonumber(ARGV[16]), fleet = tonumber(ARGV[17])
}
local ttl = tonumber(ARGV[18])

-- An instance below its share that has waited for this many milliseconds makes those above theirs give up slots: shorter
-- waits are no reason to close connections that are in use.
local PATIENCE = 500
-- Where there are fewer slots than instances in need, one that has none gets its turn after waiting for this long: longer,
-- because connections in use are closed for each turn.
local TURN = 2000
-- After this time a demand is repeated, and an instance's count of its idle connections is out of date.
local STALE = 1000
-- A smaller step back of Redis' clock only delays what is due.
local STEP = 1000

local function clock()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

-- Which server process this is, and for how many seconds it has run. A user without permission for INFO always sees the
-- same server: then only a call that knows more than the books shows that writes were lost.
local function server()
  local info = redis.pcall('INFO', 'server')
  if type(info) ~= 'string' then
    return 'unknown', 0
  end
  return string.match(info, 'run_id:(%w+)') or 'unknown', tonumber(string.match(info, 'uptime_in_seconds:(%d+)') or '0')
end

local now = clock()
local run, uptime = server()

local book = { run = '', epoch = 0, opens = 0, clock = now, ticket = 0, limit = 0, version = 0, max = 0, vacant = 0 }
-- The entries in the order of their names; name, soft and hard are not stored with them.
local entries, changed, gone = {}, {}, {}
local flat = redis.call('HGETALL', books)
for i = 1, #flat, 2 do
  local field, value = flat[i], flat[i + 1]
  if string.sub(field, 1, 2) == 'i:' then
    local e = cjson.decode(value)
    e.name, e.soft, e.hard = string.sub(field, 3), 0, 0
    entries[#entries + 1] = e
  elseif field == 'run' then
    book.run = value
  else
    book[field] = tonumber(value)
  end
end

local function byName(a, b) return a.name < b.name end
table.sort(entries, byName)

local function entryOf(instance)
  for i, e in ipairs(entries) do
    if e.name == instance then
      return e, i
    end
  end
end

-- Only marked entries are written back.
local function mark(e) changed[e.name] = e end

local function remove(i)
  local e = table.remove(entries, i)
  changed[e.name] = nil
  gone[e.name] = true
  return e
end

local function held(e) return e.granted - e.returned end
local function waiting(e) return math.max(0, e.asked - e.granted) end

local function free()
  local sum = 0
  for _, e in ipairs(entries) do
    sum = sum + held(e)
  end
  return book.limit - sum
end

-- If Redis' clock was set back, all times are set back with it: they would be reached that much later, and until then dead
-- instances would keep their slots. The time between the last call and the change counts as none, so no lease ends early.
local function stepClock()
  local back = book.clock - now
  if back > STEP then
    book.opens = book.opens - back
    for _, e in ipairs(entries) do
      e['until'], e.since, e.idleAt, e.toldAt = e['until'] - back, e.since - back, e.idleAt - back, e.toldAt - back
      mark(e)
    end
  end
  book.clock = now
end

local function startEpoch()
  book.run = run
  book.epoch = book.epoch + 1
  book.vacant = 0
  book.opens = now + ttl
  for _, e in ipairs(entries) do
    e['until'] = now + ttl
    mark(e)
  end
end

-- Another server, or none before: its books may be old or lost, so every instance must report again what it holds.
local function stepEpoch()
  if book.run == run then
    return
  end
  local firstEver = book.run == '' and uptime * 1000 > ttl + 1000 and call.form == 'JOIN'
  startEpoch()
  if firstEver then
    book.opens = now
    book.vacant = 1
  end
end

-- An instance that has not called for its time to live is dead: its entry is removed, and so its slots are free. But if no
-- instance has called for longer than live ones are ever silent, the store was unreachable for all of them: one that has
-- not called yet may be alive and use its fair share, so a new epoch begins.
local function stepBury()
  local removed, othersToo, heard = false, false, 0
  for i = #entries, 1, -1 do
    heard = math.max(heard, entries[i]['until'] - ttl)
    if entries[i]['until'] <= now then
      removed = true
      othersToo = remove(i).name ~= name or othersToo
    end
  end
  if removed and not othersToo and #entries == 0 and call.form == 'JOIN' then
    book.vacant = 1 -- it was alone, died, and was started again
  elseif removed and #entries > 0 and 2 * (now - heard) > ttl then
    startEpoch()
  end
end

local function stepAdmit()
  local e, at = entryOf(name)
  local incarnation = e and tonumber(e.incarnation)
  if e and incarnation > call.incarnation then
    return 'SUPERSEDED'
  end
  local known = e and incarnation == call.incarnation and e.epoch == book.epoch
  local arriving = call.form == 'JOIN' or call.form == 'HELLO'
  if known and (e.granted < call.seen or e.seq < call.acked) then
    startEpoch() -- writes were lost
    return 'AGAIN'
  end
  if known or call.form == 'BYE' then
    return 'OK'
  end
  if not arriving or (e and incarnation == call.incarnation) then
    return 'AGAIN'
  end
  if #entries == 0 and book.vacant == 0 and now >= book.opens then
    -- All died, or none could reach the store: in that case they hold slots that are not in the books.
    startEpoch()
  end
  book.vacant = 0
  local arrived = {
    name = name, seq = 0, granted = call.seen, returned = 0, asked = 0, ticket = e and e.ticket or 0,
    incarnation = string.format('%.0f', call.incarnation), -- as text: JSON numbers would lose its last digits
    since = e and e.since or 0, epoch = book.epoch, idle = 0, idleAt = 0, limit = 0,
    version = call.version < 0 and book.version or call.version, fleet = 0, soft = 0, hard = 0, toldSoft = 0,
    toldHard = 0, toldAt = 0, ['until'] = 0
  }
  entries[at or #entries + 1] = arrived
  table.sort(entries, byName)
  mark(arrived)
  return 'OK'
end

-- The last change is taken from any instance that knows it; of two with one version, made at once, the lower one counts.
local function countChange(me)
  if call.changeVersion > book.version then
    book.version, book.max = call.changeVersion, call.changeMax
  elseif call.changeVersion == book.version then
    book.max = math.min(book.max, call.changeMax)
  end
  me.limit = call.limit
  if call.version >= 0 then
    me.version = call.version
  end
end

local function stepCount(me)
  local gaveBack = call.returned > me.returned
  mark(me)
  me.seq, me.returned, me.asked = call.seq, call.returned, call.asked
  me.idle, me.idleAt = call.idle, now
  me.fleet, me['until'] = call.fleet, now + ttl
  countChange(me)
  if waiting(me) == 0 then
    me.ticket = 0
  elseif me.ticket == 0 or (gaveBack and held(me) == 0) then -- it has had its turn
    book.ticket = book.ticket + 1
    me.ticket, me.since = book.ticket, now
  end
end

-- The lowest limit is in force, where a limit from before the last change counts as the changed one.
local function stepLimit()
  local lowest
  for _, e in ipairs(entries) do
    local word = e.version < book.version and book.max or e.limit
    lowest = math.min(lowest or word, word)
  end
  book.limit = lowest or book.limit
end

-- Whether all instances that may be alive have reported what they hold.
local function isOpen()
  if now >= book.opens then
    return true
  end
  local count, expected = 0, 0
  for _, e in ipairs(entries) do
    if e.epoch ~= book.epoch then
      return false
    end
    count = count + 1
    expected = math.max(expected, e.fleet)
  end
  return count > 0 and count >= expected
end

-- How many slots an instance holds and waits for, without those it was just asked to give up.
local function wanted(e) return held(e) - e.soft + waiting(e) end

-- The most slots that every instance can have at once, where none counts for more than it needs: the smallest needs are
-- satisfied first, as long as all others could have as much, and the rest is divided.
local function fairLevel()
  local needs = {}
  for i, e in ipairs(entries) do
    needs[i] = wanted(e)
  end
  table.sort(needs)
  local left = book.limit
  for i, n in ipairs(needs) do
    local sharing = #needs - i + 1
    if n * sharing > left then
      return math.floor(left / sharing)
    end
    left = left - n
  end
  return book.limit
end

-- Instances below their share come before those that have it: these would soon have to give up again what they got.
local function longestWaiting(level)
  local longest
  for _, e in ipairs(entries) do
    if waiting(e) > 0 and e.epoch == book.epoch then
      local short, other = held(e) < level, longest and held(longest) < level
      if not longest or (short and not other) or (short == other and e.ticket < longest.ticket) then
        longest = e
      end
    end
  end
  return longest
end

local function stepGrant(me, atOnce)
  if not isOpen() then
    return
  end
  book.opens = math.min(book.opens, now)
  local left = free()
  local level = 0
  if left > 0 and longestWaiting(level) then
    level = math.max(1, fairLevel()) -- with too few for all, those with none come first
  end
  local following = longestWaiting(level)
  while left > 0 and following do
    mark(following)
    following.granted = following.granted + 1
    left = left - 1
    if waiting(following) > 0 then
      book.ticket = book.ticket + 1
      following.ticket = book.ticket
    else
      following.ticket = 0
    end
    following.since = now
    following = longestWaiting(level)
  end
  if me and atOnce > 0 and not following then
    me.granted = me.granted + math.max(0, math.min(left, call.asked + atOnce - me.granted))
  end
end

-- Demands idle connections first, from the instance with the most.
local function pressIdle(need)
  while need > 0 do
    local most
    for _, e in ipairs(entries) do
      if waiting(e) == 0 and e.soft == 0 and e.idle > 0 and held(e) > 0 and (not most or e.idle > most.idle) then
        most = e
      end
    end
    if not most then
      return need
    end
    most.soft = math.min(need, most.idle, held(most))
    need = need - most.soft
  end
  return need
end

-- Asks the instance whose count of idle connections is the oldest, if out of date; its answer leads to the next question.
local function askLongestSilent(need)
  local oldest
  for _, e in ipairs(entries) do
    if waiting(e) == 0 and e.soft + e.hard == 0 and held(e) > 0 and e.idleAt + STALE <= now
        and (not oldest or e.idleAt < oldest.idleAt) then
      oldest = e
    end
  end
  if oldest then
    oldest.soft = math.min(need, held(oldest))
  end
end

-- There are fewer slots than instances in need: the instance that got one longest ago makes room for one that has none.
local function pressTurn()
  local due, longest = false, nil
  for _, e in ipairs(entries) do
    due = due or (waiting(e) > 0 and held(e) == 0 and e.since + TURN <= now)
    if held(e) > e.soft and (not longest or e.since < longest.since) then
      longest = e
    end
  end
  if due and longest then
    longest.hard = 1
  end
end

-- Demands slots from instances above their share, if one below has waited long enough, or if the limit is exceeded.
local function pressShare(need)
  local level = fairLevel()
  local spare = book.limit -- the remainder of the division: this many may keep one more
  local due = free() < 0
  for _, e in ipairs(entries) do
    spare = spare - math.min(level, wanted(e))
    due = due or (waiting(e) > 0 and held(e) < level and e.since + PATIENCE <= now)
  end
  if not due then
    if level == 0 then
      pressTurn()
    end
    return
  end
  for _, e in ipairs(entries) do
    local above = held(e) - e.soft - level
    if above > 0 and spare > 0 then
      above, spare = above - 1, spare - 1
    end
    e.hard = math.max(0, math.min(need, above))
    need = need - e.hard
  end
end

-- Decides which instances must give up slots: for those that wait, or because the limit is exceeded.
local function stepPress()
  local need = -free()
  for _, e in ipairs(entries) do
    need = need + waiting(e)
  end
  if need <= 0 or now < book.opens then
    return
  end
  need = pressIdle(need)
  if need > 0 then
    pressShare(need)
    askLongestSilent(need) -- afterwards: a question frees no slot
  end
end

local function stepAnnounce(before)
  for _, e in ipairs(entries) do
    local granted = before[e.name] ~= e.granted
    local pressed = e.soft + e.hard > 0
        and (e.soft ~= e.toldSoft or e.hard ~= e.toldHard or e.toldAt + STALE <= now)
    if e.name ~= name and (granted or pressed) then
      mark(e)
      e.toldSoft, e.toldHard, e.toldAt = e.soft, e.hard, now
      redis.call(publish, channel .. e.name, string.format('%s %d %d %d', e.incarnation, e.granted, e.soft, e.hard))
    end
  end
end

local function save()
  redis.call('HSET', books, 'run', book.run, 'epoch', book.epoch, 'opens', string.format('%.0f', book.opens),
      'clock', string.format('%.0f', book.clock), 'ticket', book.ticket, 'limit', book.limit, 'version', book.version,
      'max', book.max, 'vacant', book.vacant)
  for of in pairs(gone) do
    redis.call('HDEL', books, 'i:' .. of)
  end
  for of, e in pairs(changed) do
    e.name, e.soft, e.hard = nil, nil, nil
    redis.call('HSET', books, 'i:' .. of, cjson.encode(e))
  end
end

local function reply(status, me)
  local fleet = {}
  for i, e in ipairs(entries) do
    local at = 6 * i
    fleet[at - 5], fleet[at - 4], fleet[at - 3] = e.name, held(e), waiting(e)
    fleet[at - 2], fleet[at - 1], fleet[at] = e.idle, e.limit, e['until'] - now
  end
  local mine = me or { incarnation = '0', granted = 0, soft = 0, hard = 0, version = 0 }
  return { status, mine.incarnation, mine.granted, mine.soft, mine.hard, book.limit, book.version, book.max,
    mine.version, math.max(0, book.opens - now), fleet }
end

stepClock()
stepEpoch()
stepBury()
local status = stepAdmit()
local me, at = entryOf(name)
if status == 'OK' then
  local before, atOnce = {}, 0
  for _, e in ipairs(entries) do
    before[e.name] = e.granted
  end
  if me and call.form == 'BYE' then
    remove(at)
    book.vacant = #entries == 0 and 1 or 0
  elseif me and call.seq > me.seq then
    stepCount(me)
    atOnce = call.atOnce
  end
  stepLimit()
  stepGrant(me, atOnce)
  stepPress()
  stepAnnounce(before)
else
  stepLimit()
end
local answer = reply(status, me)
save()
return answer
