"""The problems of the table, whatever game is played, in the form of ``games.published``."""

from __future__ import annotations

from typing import Final

TABLE: Final = """
403 not-invited | Not invited
  Only the host and invited players may take seats at a private table.
403 not-seated | Not seated at this table
  This is for players who have a seat at the table.
403 not-your-seat | Not your seat
  The seat belongs to another player.
403 no-programs | Table is for people only
  The host opened the table without programs: neither programs nor house bots may take seats.
403 wrong-kind-of-token | Wrong kind of token for this seat
  A seat taken by a person is played with the scope `play`, one taken by a program with `bot`.
403 not-the-host | Only for the host
  The host is the player who opened the table.
403 not-the-director | Only for the director
  A table is directed by its host with the scope `organise`, or with the scope `admin`.
403 not-an-auditor | Only for auditors
  Inspecting a game requires the scope `audit`.
403 inspection-by-player | Players cannot inspect their own table
  You play in this game, so you see what your seat may see, whatever scopes your token has.
403 not-the-leader | Only for the leader of the tour
  Somebody else leads this tour; you follow it.
403 tour-by-player | Players lead no tour of their running game
  You have a seat in this game, so you may know more than those who would follow you. When it is
  over you may lead.
404 unknown-seat | Seat not found or empty
  Seats are numbered from 1.
404 unknown-invitation | Invitation not found
  The invitation was declined or withdrawn, or never existed.
404 option-not-found | Option not found
  The decision is open for you, but has no option of this id.
404 tour-not-found | Tour not found
  A tour ends when its leader ends it, and 20 seconds after its leader has gone.
409 table-exists | Table already opened
  A table is opened only once.
409 table-not-open | Table not open
  The game has begun or ended: seats can no longer be taken or left.
409 too-many-tables | Too many unstarted tables
  You have reached the limit of tables waiting for players. Start one of them; a table that has not
  begun within a day is closed automatically.
409 not-played-out | Game not played to its end
  A rematch is for a game that has begun and ended: this one is still running, or it was cancelled.
409 players-gone | All other players are gone
  Everybody else who played in the game has deleted their account, so nobody could come.
409 too-many-rematches | Rematch called off too often
  Eight rematches of this game have been proposed and called off. Open a new table instead.
409 nothing-to-branch | Nothing to play on from here
  At this version the game had not begun, or was over: choose one at which something was being
  decided.
409 seat-resigned | Seat resigned by then
  Whoever had this seat in the game had given up before the version, so nobody can play on in it.
409 branch-not-repeated | No rematch of a branch
  A branch is made again from the game that it came from.
409 lead-not-offered | Lead not offered
  Whoever leads the tour has to offer the lead before somebody else can take it.
409 too-many-bot-games | Too many bot-only games
  You have reached the limit of running games played by house bots alone.
409 game-not-live | Game not begun
  The game begins when every seat is taken and, depending on the table, the players or the host
  start it.
409 game-over | Game over
  Nothing can be chosen or directed any more.
409 table-paused | Game paused
  The director, or the players by agreement, have stopped the clock; nothing can be chosen until the
  game is resumed.
409 table-not-paused | Game not paused
  There is nothing to resume.
409 game-held | Game held
  The store has lost part of the game, so its players may know what comes next. Its director resumes
  it from what is left, or annuls it.
409 restored-before | Game already restored
  A game is restored at most once per epoch of the store; a later version known from an earlier
  epoch says nothing about what is to come.
409 nothing-lost | Nothing lost
  The store has every known version of the game.
409 table-not-full | Table not full
  The game begins when every seat is taken.
409 seat-taken | Seat taken
  Another player has this seat.
409 name-taken | Name taken
  No two players at a table may have the same name, ignoring case, width of letters, characters
  that show nothing and what looks alike, as letters of Latin and Cyrillic, or l, I and 1. Take the
  seat under another `name`; reserved are names of house bots, and what a seat without a name and
  one whose player is deleted are called.
409 no-free-seat | No free seat
  Every seat is taken; choose another table.
409 too-many-leavings | Seats can no longer be left
  Seats of this table have been given up sixteen times. The game begins with the seated players, or
  the director annuls it.
409 already-seated | Already seated
  A player may have only one seat at a table.
409 already-invited | Already invited
  The player has an invitation; the host needs none.
409 player-seated | Player already seated
  A player with a seat at the table needs no invitation.
409 already-ready | Already ready
  You are ready; other players may not be.
409 decision-not-open | Decision not open for you
  It was answered, has expired, has not come up, belongs to another seat or never existed: the
  answers are all the same, because the decisions of others can be secret. Read `decisions` again.
409 choice-not-secret | Choice is public
  The decision became public while the command was in transit. Repeat the command.
409 choice-not-public | Choice is secret
  The decision became secret while the command was in transit. Repeat the command.
409 deadline-passed | Deadline passed
  The choice arrived after the deadline; the default counts, whether or not a worker had already
  taken it.
409 phrases-silenced | Nobody may talk now
  A rule of the game forbids talking at the moment. Nothing was said.
409 phrases-too-fast | Too many phrases at once
  A seat says at most 3 phrases in 15 seconds, by the times in the log.
409 no-say-in-pauses | No say in pauses
  People decide about pauses who are neither absent nor resigned nor out of the game; programs do
  not.
409 pause-proposed-already | Pause already proposed
  One pause is proposed at a time. Answer it, or wait until it lapses.
409 pauses-proposed-too-often | Pauses proposed too often
  A seat proposes at most 3 pauses in 30 minutes, by the times in the log.
409 too-many-pauses | Too many pauses
  A game has at most 12 pauses by agreement.
409 no-pause-proposed | No pause proposed
  Nobody has proposed a pause, or the proposal was turned down, has lapsed, or has been agreed to.
409 already-agreed | Already agreed
  You have agreed already; other players may not have.
409 paused-by-director | Paused by the director
  The players have not agreed on this pause, so only the director ends it.
409 nothing-due | Nothing due
  The time-out has already been executed, or the decision was answered in time.
409 not-due-yet | Not due yet
  A time-out is executed a quarter of a second after the deadline.
422 too-many-invitations | Too many invitations
  A table may send 50 invitations, unless the operator has set another limit; declined and withdrawn
  ones count too.
422 bad-time-control | Invalid time limits
  A limit is 1 second to 14 days, `absent_after` 1 to 100, `bot_pace_ms` 0 to 60,000.
422 bad-delay | Invalid delay
  A delay for spectators is either 1 to 100 `turns` or 1 to 86,400 `seconds`.
422 bad-tournament | Invalid code of a tournament
  A code has 1 to 40 characters: the letters a to z, digits, and single hyphens between them.
422 unknown-phrase | Phrase unknown
  The rulebook lists its `phrases`.
422 phrase-to-nobody | Phrase to nobody
  The phrase needs a target, or the seat is empty, or the board has no such place.
422 phrase-target-not-allowed | Target not possible for the phrase
  The rulebook lists the `aims` of each phrase. A phrase has at most one target.
422 bad-pause | Invalid pause
  A pause has 1 to 1,440 minutes.
422 bad-inspection | Invalid inspection
  An inspection has `full` or a seat as `eyes`, one of the listed reasons, and a length of 1 second
  to a day.
422 bad-entropy | Invalid entropy
  Entropy is at most 64 of the characters `A-Z`, `a-z`, `0-9`, `-` and `_`: it is hashed for ever,
  so it must not have room for names or notes.
422 bot-with-entropy | Entropy for a house bot
  Only players contribute to the seed: a host who chose a house bot's entropy, with the bot seated
  last, could try values until the deal suits them.
422 bot-with-name | Name for a house bot
  A house bot is named by its kind and its seat.
422 bad-extension | Invalid extension
  An extension is 1 second to 24 hours.
422 unknown-bot | House bot not found
  `GET /v1/rulebooks` lists the house bots.
422 unknown-game | Game unknown
  The service has no rules for this game.
422 option-not-offered | Option not offered
  An option is one of the ids that `decisions` lists, or that are listed below a branch.
422 option-is-a-branch | Option is a branch
  A branch cannot be chosen. `GET …/options/{option}` lists the options below it; choose one of
  those that are no branches.
422 option-is-a-leaf | Option is a leaf
  Nothing is below this option: choose it as it is.
"""
