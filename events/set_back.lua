#!lua
-- Sets a shard back to an entry of its feed, as if nothing had been appended since: an operator has
-- chosen another branch. All checks come first. It takes as long as the feed is: half a second for 100,000 entries.
--
-- KEYS  1 meta (hash)  2 feed (stream)  3 due (sorted set)  4 feed of accounts (stream)
--       5... of each stream that has moved since: head (hash), entries (stream), commands (hash)
-- ARGV  1 the number of the feed's last entry now  2 its link
--       3 the number of the entry that is to be the last  4 its link  5 how many entries of accounts go
--       6... of each stream: its id, version, head, status and wake-up time (ms or "-") after that entry,
--       how many commands go, and their ids
--
-- Answers  set | moved seq chain (others have appended) | elsewhere (the entry is not there)
--          | damaged what

local function rewrite(key, last)
  local kept = {}
  if last > 0 then kept = redis.call('XRANGE', key, '-', string.format('%d-0', last)) end
  redis.call('DEL', key)
  for _, entry in ipairs(kept) do redis.call('XADD', key, entry[1], unpack(entry[2])) end
end

local shard = redis.call('HMGET', KEYS[1], 'seq', 'chain', 'aseq')
if shard[1] ~= ARGV[1] or shard[2] ~= ARGV[2] then return {'moved', tonumber(shard[1] or '0'), shard[2] or ''} end
local seq, accounts = tonumber(ARGV[3]), tonumber(shard[3] or '0') - tonumber(ARGV[5])
if seq > 0 then
  local entry = redis.call('XRANGE', KEYS[2], ARGV[3] .. '-0', ARGV[3] .. '-0')[1]
  if not entry or entry[2][8] ~= ARGV[4] then return {'elsewhere'} end
end
local at, streams = 6, {}
for place = 5, #KEYS, 3 do
  local stream = {place = place, id = ARGV[at], version = tonumber(ARGV[at + 1]), first = at + 6}
  stream.head, stream.status, stream.due = ARGV[at + 2], ARGV[at + 3], ARGV[at + 4]
  stream.last = stream.first + tonumber(ARGV[at + 5]) - 1
  if redis.call('XLEN', KEYS[place + 1]) < stream.version then return {'damaged', stream.id} end
  streams[#streams + 1] = stream
  at = stream.last + 1
end

for _, stream in ipairs(streams) do
  local head, commands = KEYS[stream.place], KEYS[stream.place + 2]
  rewrite(KEYS[stream.place + 1], stream.version)
  if stream.version > 0 then
    redis.call('HSET', head, 'ver', stream.version, 'head', stream.head, 'st', stream.status)
    redis.call('HDEL', head, 'want', 'ahead')
    for place = stream.first, stream.last do redis.call('HDEL', commands, ARGV[place]) end
  else
    redis.call('DEL', head, commands)
  end
  if stream.due == '-' then
    redis.call('ZREM', KEYS[3], stream.id)
  else
    redis.call('ZADD', KEYS[3], stream.due, stream.id)
  end
end
rewrite(KEYS[2], seq)
rewrite(KEYS[4], math.max(0, accounts))
redis.call('HDEL', KEYS[1], 'seq', 'chain', 'aseq')
if seq > 0 then redis.call('HSET', KEYS[1], 'seq', ARGV[3], 'chain', ARGV[4]) end
if accounts > 0 then redis.call('HSET', KEYS[1], 'aseq', string.format('%d', accounts)) end
return {'set'}
