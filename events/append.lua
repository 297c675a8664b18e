#!lua
-- Appends one batch to one stream, or nothing. All checks come first, and every key is read before
-- the first write (a key of the wrong type stops the script there), so the writes cannot fail. Runs on Redis 7.0 and newer; all keys lie in one slot.
--
-- KEYS  1 head (hash)  2 entries (stream)  3 commands (hash)  4 due (sorted set)  5 meta (hash)
--       6 feed (stream)  7 feed of accounts (stream), if the stream is of an account
-- ARGV  1 stream id  2 expected version  3 expected head  4 command id  5 digest  6 new head
--       7 status  8 due: ms, "-" none, "=" as it is  9 time of the batch, ms
--       10 how far ahead of the store's clock a writer's may be, ms, or "" for any
--       11 most entries in an answer
--       12 not "": who is too late now wants to be next, after having been late often
--       13 time of sending, ms  14 how much older the sending, and the batch, may be, ms
--       15 not "": the stream may be ahead of the clock, and from now on go on so
--       16 the store that the writer knows, and its epoch, or "" for any
--       17 the number of the feed's last entry that the writer knows, and " " and its link if known
--       18 the accounts that it concerns, apart by spaces
--       19 not "": put back what the store has lost: the feed must end at ARGV[17], and its new link
--       be this one
--       20... the events: public part, private part or ""
--
-- Answers  ok version seq wanted (1: somebody wants to be next) chain | again first count entries | reused
--          | conflict version head entries | damaged what | behind store seq | clock now | ahead now
--          | elsewhere seq chain (what was lost does not belong here)

local function entries(first, count)
  return redis.call('XRANGE', KEYS[2], string.format('%d-0', first), '+', 'COUNT', count)
end

local known = ARGV[19] == '' and redis.call('HGET', KEYS[3], ARGV[4])
if known then
  local digest, first, count = string.match(known, '^(.*):(%d+):(%d+):%d+$')
  if digest ~= ARGV[5] then return {'reused'} end
  first, count = tonumber(first), tonumber(count)
  return {'again', first, count, entries(first, count)}
end

local shard = redis.call('HMGET', KEYS[5], 'seq', 'chain', 'store', 'aseq')
local seq = tonumber(shard[1] or '0')
-- Another store, another life of it, or one that has lost what its writer has seen in it.
local number, link = string.match(ARGV[17], '^(%d+) ?(.*)$')
if ARGV[16] ~= '' and (shard[3] ~= ARGV[16] or (seq and seq < tonumber(number))) then
  return {'behind', shard[3] or '', seq or 0}
end
-- Others may have gone on so far that only the link shows that what the writer knows is gone.
if ARGV[16] ~= '' and link ~= '' then
  local there = shard[2]
  if seq ~= tonumber(number) then
    local id = number .. '-0'
    local entry = redis.call('XRANGE', KEYS[6], id, id)[1]
    there = entry and entry[2][8]
  end
  if there and there ~= link then return {'behind', shard[3] or '', seq or 0} end
end
-- Each link names all before it, so that two feeds of one number are told apart; no proof, a check.
local reached = tonumber(ARGV[2]) + (#ARGV - 19) / 2
local linked = string.format('%s %s %d ', shard[2] or '', ARGV[1], reached) .. ARGV[6]
local chain = string.sub(redis.sha1hex(linked), 1, 16)
if ARGV[19] ~= '' and (seq ~= tonumber(number) or chain ~= ARGV[19]) then
  return {'elsewhere', seq or 0, shard[2] or ''}
end

local at = redis.call('HMGET', KEYS[1], 'ver', 'head', 'want', 'ahead')
local version, head = tonumber(at[1] or '0'), at[2] or ''
local expected = tonumber(ARGV[2])
if version ~= expected or (version > 0 and head ~= ARGV[3]) then
  if ARGV[12] ~= '' and version > expected then redis.call('HSET', KEYS[1], 'want', '1') end
  return {'conflict', version, head, entries(expected + 1, tonumber(ARGV[11]))}
end

-- Someone removed an entry, or removed the stream and kept its head, or added one by hand.
local length = redis.call('XLEN', KEYS[2])
if length ~= version then return {'damaged', 'the stream has ' .. length .. ' entries'} end

local last = redis.call('XREVRANGE', KEYS[6], '+', '-', 'COUNT', 1)[1]
if not seq or (last and last[1] ~= string.format('%d-0', seq)) then
  return {'damaged', 'the feed ends at ' .. (last and last[1] or 'no number')}
end
local accounts = tonumber(shard[4] or '0')
if KEYS[7] then
  local newest = redis.call('XREVRANGE', KEYS[7], '+', '-', 'COUNT', 1)[1]
  if not accounts or (newest and newest[1] ~= string.format('%d-0', accounts)) then
    return {'damaged', 'the feed of accounts ends at ' .. (newest and newest[1] or 'no number')}
  end
end
local due = redis.call('ZSCORE', KEYS[4], ARGV[1])

-- How late a call comes is not its writer's fault; that it comes from the future is, and a batch
-- from the future would keep all that follow it there.
local ahead = false
if ARGV[10] ~= '' then
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  local sent, batch = tonumber(ARGV[13]), tonumber(ARGV[9])
  local tolerance, oldest = tonumber(ARGV[10]), tonumber(ARGV[14])
  if sent - now > tolerance or now - sent > oldest then return {'clock', now} end
  if sent - batch > oldest then return {'clock', now} end
  ahead = batch - now > tolerance
  if ahead and ARGV[15] == '' and batch > tonumber(at[4] or '0') then return {'ahead', now} end
end

-- The first write is the only one that may be refused (an operator moved the stream's last id).
local count = 0
for i = 20, #ARGV, 2 do
  count = count + 1
  local id = string.format('%d-0', version + count)
  local written
  if ARGV[i + 1] == '' then
    written = redis.pcall('XADD', KEYS[2], id, 'e', ARGV[i])
  else
    written = redis.pcall('XADD', KEYS[2], id, 'e', ARGV[i], 'p', ARGV[i + 1])
  end
  if type(written) == 'table' and written.err then
    return {'damaged', written.err}
  end
end

redis.call('HSET', KEYS[1], 'ver', version + count, 'head', ARGV[6], 'st', ARGV[7])
if ahead then
  redis.call('HSET', KEYS[1], 'ahead', ARGV[9])
elseif at[4] then
  redis.call('HDEL', KEYS[1], 'ahead')
end
local wanted = 0
if at[3] then
  redis.call('HDEL', KEYS[1], 'want')
  if ARGV[12] == '' then wanted = 1 end
end
if ARGV[8] == '-' then
  if due then redis.call('ZREM', KEYS[4], ARGV[1]) end
elseif ARGV[8] ~= '=' and ARGV[8] ~= due then
  redis.call('ZADD', KEYS[4], ARGV[8], ARGV[1])
end
seq = seq + 1
redis.call('HSET', KEYS[3], ARGV[4], string.format('%s:%d:%d:%d', ARGV[5], version + 1, count, seq))
redis.call('HSET', KEYS[5], 'seq', string.format('%d', seq), 'chain', chain)
redis.call('XADD', KEYS[6], string.format('%d-0', seq), 'g', ARGV[1], 'v', version + count, 'n', count, 'h', chain,
  's', ARGV[7], 'd', ARGV[8] == '=' and (due or '-') or ARGV[8])
-- What is written has to stay written, so this may fail; then its readers find a gap.
-- The bells, on channels called as the feeds are: hints, which may fail and reach nobody.
if KEYS[7] then
  accounts = accounts + 1
  redis.call('HSET', KEYS[5], 'aseq', string.format('%d', accounts))
  redis.pcall('XADD', KEYS[7], string.format('%d-0', accounts), 'g', ARGV[1], 'v', version + count, 'n', count)
  redis.pcall('SPUBLISH', KEYS[7], string.format('%d -', accounts))
end
redis.pcall('SPUBLISH', KEYS[6], string.format('%d ', seq) .. ARGV[8])
local channel = string.gsub(KEYS[6], 'log$', 'for:')
for account in string.gmatch(ARGV[18], '%S+') do
  redis.pcall('SPUBLISH', channel .. account, ARGV[1])
end
return {'ok', version + count, seq, wanted, chain}
