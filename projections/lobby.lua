#!lua
-- Moves the lists of one shard one step along the shard's feed, or does nothing.
-- Runs on Redis 7.0 and newer; all keys lie in one slot.
--
-- KEYS  1 rows (hash: game id -> row; field "@" is the checkpoint)  2 names (set of index keys)
--       3 the finished tables (sorted set: game id by the number of a pointer)
--       4... the index keys (sorted sets: game id by the time of its opening) that change
-- ARGV  1 the checkpoint that must be there, "" for none  2 the new one  3... changes, each
--       "row" id bytes | "end" id number | "add" position of the index key in KEYS, score, id | "del" position, id
--
-- Answers 1: done, 0: the checkpoint is another one

local at = redis.call('HGET', KEYS[1], '@') or ''
if at ~= ARGV[1] then return 0 end

local i = 3
while i <= #ARGV do
  local what = ARGV[i]
  if what == 'row' then
    redis.call('HSET', KEYS[1], ARGV[i + 1], ARGV[i + 2])
    i = i + 3
  elseif what == 'end' then
    redis.call('ZADD', KEYS[3], ARGV[i + 2], ARGV[i + 1])
    i = i + 3
  elseif what == 'add' then
    local key = KEYS[tonumber(ARGV[i + 1])]
    redis.call('ZADD', key, ARGV[i + 2], ARGV[i + 3])
    redis.call('SADD', KEYS[2], key)
    i = i + 4
  else
    local key = KEYS[tonumber(ARGV[i + 1])]
    redis.call('ZREM', key, ARGV[i + 2])
    if redis.call('EXISTS', key) == 0 then redis.call('SREM', KEYS[2], key) end
    i = i + 3
  end
end
redis.call('HSET', KEYS[1], '@', ARGV[2])
return 1
