#!lua
-- A tour: who leads it, and where that is. It is forgotten when its leader has been away for a while.
--
-- KEYS  1 the tour (hash: game, leader, told, offered, n)
-- ARGV  1 the player  2 "begin", "read", "stay", "tell", "take" or "end"  3 how long it holds, ms
--       4 the game  5 what is told  6 "1": the lead is offered
--
-- Answers  "ok", then fields and values; or "over", "not-the-leader", "not-offered"

local key, player, act = KEYS[1], ARGV[1], ARGV[2]
local leader = redis.call('HGET', key, 'leader')
if act == 'begin' and not leader then
  leader = player
  redis.call('HSET', key, 'game', ARGV[4], 'leader', player, 'told', ARGV[5], 'offered', '', 'n', 0)
end
if not leader or redis.call('HGET', key, 'game') ~= ARGV[4] then
  return {'over'}
end
if act == 'take' and leader ~= player then
  if redis.call('HGET', key, 'offered') ~= '1' then
    return {'not-offered'}
  end
  leader = player
  redis.call('HSET', key, 'leader', player, 'offered', '', 'n', redis.call('HGET', key, 'n') + 1)
end
if act ~= 'read' and leader ~= player then
  return {'not-the-leader'}
end
if act == 'tell' then
  redis.call('HSET', key, 'told', ARGV[5], 'offered', ARGV[6], 'n', redis.call('HGET', key, 'n') + 1)
end
local found = redis.call('HGETALL', key)
if act == 'end' then
  redis.call('DEL', key)
elseif act ~= 'read' then
  redis.call('PEXPIRE', key, ARGV[3])
end
table.insert(found, 1, 'ok')
return found
