#!lua
-- Moves profiles and leaderboards one step on, or does nothing.
-- Runs on Redis 7.0 and newer; all keys lie in one slot.
--
-- KEYS  1 names (set of leaderboards)  2 book (hash: fields; "@" is the checkpoint)
--       3 window (hash: game id -> the game and what was there before it)
--       4... the leaderboards (sorted sets: player by rating) that change
-- ARGV  1 the checkpoint that must be there, "" for none  2 the new one  3... changes, each
--       "set" field bytes | "del" field | "keep" game bytes | "drop" game
--       | "add" position of the leaderboard in KEYS, rating, player | "rem" position, player
--
-- Answers 1: done, 0: the checkpoint is another one

local at = redis.call('HGET', KEYS[2], '@') or ''
if at ~= ARGV[1] then return 0 end

local i = 3
while i <= #ARGV do
  local what = ARGV[i]
  if what == 'set' or what == 'keep' then
    redis.call('HSET', what == 'set' and KEYS[2] or KEYS[3], ARGV[i + 1], ARGV[i + 2])
    i = i + 3
  elseif what == 'del' or what == 'drop' then
    redis.call('HDEL', what == 'del' and KEYS[2] or KEYS[3], ARGV[i + 1])
    i = i + 2
  elseif what == 'add' then
    local key = KEYS[tonumber(ARGV[i + 1])]
    redis.call('ZADD', key, ARGV[i + 2], ARGV[i + 3])
    redis.call('SADD', KEYS[1], key)
    i = i + 4
  else
    local key = KEYS[tonumber(ARGV[i + 1])]
    redis.call('ZREM', key, ARGV[i + 2])
    if redis.call('EXISTS', key) == 0 then redis.call('SREM', KEYS[1], key) end
    i = i + 3
  end
end
redis.call('HSET', KEYS[2], '@', ARGV[2])
return 1
