/** What happens at a table round any game, recorded in the table's state (pure). */

/** The state of no table. */
export function initialTable() {
  return {
    phase: "none",
    game: "",
    rulebook: "",
    mode: "",
    seat_count: 0,
    options: {},
    time: { limits_s: {}, absent_after: 2, bot_pace_ms: 0 },
    visibility: "public",
    start: "auto",
    delay: null,
    host: "",
    invited: [],
    scenario: false,
    key_hash: "",
    key: null,
    situation: null,
    seats: {},
    entropy: [],
    leavings: 0,
    clock: null,
    paused_at: null,
    result: null,
    play: null,
  };
}

const changeSeat = (state, number, change) => {
  const seat = state.seats[number];
  if (seat === undefined) {
    throw new Error(`nobody sits on seat ${number}`);
  }
  state.seats = { ...state.seats, [number]: { ...seat, ...change(seat) } };
};

const opened = (state, event) => {
  Object.assign(state, {
    phase: "open",
    game: event.game,
    rulebook: event.rulebook,
    mode: event.mode,
    seat_count: event.seats,
    options: event.options,
    time: event.time,
    visibility: event.visibility,
    start: event.start,
    delay: event.delay ?? null,
    host: event.host,
    invited: event.invited,
    scenario: event.scenario,
    key_hash: event.key_hash,
    key: event.key ?? null,
    situation: event.situation ?? null,
    ...(event.programs === false && { programs: false }),
    ...(event.tournament && { tournament: event.tournament }),
    ...(event.origin && { origin: event.origin, laid: event.laid ?? null }),
  });
};

/** What the position of a branch is laid by is laid now. */
const started = (state) => {
  state.phase = "live";
  delete state.laid;
};

/** How many invitations there have been in all, also those that are gone by now. */
const invitationsMade = (state) => state.invitations ?? state.invited.length;

const invited = (state, { player }) => {
  state.invitations = invitationsMade(state) + 1;
  state.invited = [...state.invited, player];
};

const uninvited = (state, { player }) => {
  state.invitations = invitationsMade(state);
  state.invited = state.invited.filter((each) => each !== player);
};

const taken = (state, event) => {
  const seat = {
    player: event.player,
    characters: event.characters,
    name_seal: event.name_seal ?? "",
    bot: event.bot ?? null,
    ready: false,
    strikes: 0,
    absent: false,
    returns: 0,
    resigned: false,
    ...((event.program || event.bot) && { program: true }),
  };
  state.seats = { ...state.seats, [event.seat]: seat };
  if (event.entropy && !state.entropy.some(({ player }) => player === event.player)) {
    state.entropy = [...state.entropy, { player: event.player, text: event.entropy }];
  }
};

const left = (state, event) => {
  const { [event.seat]: _, ...others } = state.seats;
  state.seats = others;
  state.leavings += 1;
};

/** What comes before turn 1 counts with it, and a turn gives one strike, however often it is missed. */
const timedOut = (state, { seat, strikes }, turn) => {
  changeSeat(state, seat, () => ({ strikes, missed_turn: Math.max(1, turn) }));
};

const returned = (state, { seat }) => {
  changeSeat(state, seat, ({ returns }) => ({ strikes: 0, absent: false, returns: returns + 1 }));
};

/** A part of the game is lost; it is held, and so paused, until the director decides. */
const restored = (state, { from_version, to_version, epoch, at }) => {
  state.paused_at = at;
  endAgreed(state);
  state.restored = { from_version, to_version, epoch, held: true };
};

/** Nothing is proposed or running any more. */
const endAgreed = (state) => {
  if (state.pauses !== undefined) {
    state.pauses = { ...state.pauses, proposal: null, running: null };
  }
};

/** Not held any more; that a part is lost stays known. */
const letGo = (state) => {
  state.paused_at = null;
  endAgreed(state);
  if (state.restored !== undefined) {
    state.restored = { ...state.restored, held: false };
  }
};

const resumed = (state, { since, due }) => {
  letGo(state);
  if (state.clock !== null && typeof since === "number" && typeof due === "number") {
    state.clock = { ...state.clock, since, due };
  }
};

const extended = (state, { due }) => {
  if (state.clock !== null) {
    state.clock = { ...state.clock, due };
  }
};

/** What is padded is told without its padding, what is sealed as null. */
const unsealed = (text) => (text === undefined ? null : text.trimEnd());

const inspected = (state, { office, account, at, until, eyes, reason }) => {
  const added = { office, account, at, until, eyes: unsealed(eyes), reason: unsealed(reason) };
  state.inspections = [...(state.inspections ?? []), added];
};

const PHRASES_KEPT = 3;

const said = (state, { seat, at }) => {
  const times = [...(state.phrases?.[seat] ?? []), at].slice(-PHRASES_KEPT);
  state.phrases = { ...state.phrases, [seat]: times };
};

const PROPOSALS_KEPT = 3;

const changePauses = (state, changes) => {
  state.pauses = { begun: 0, proposed: {}, proposal: null, running: null, ...state.pauses, ...changes };
};

/** A proposal lapses when its proposer is gone. */
const dropProposal = (state, seat) => {
  if (state.pauses?.proposal?.seat === seat) {
    changePauses(state, { proposal: null });
  }
};

const pauseProposed = (state, { seat, minutes, at, until }) => {
  const times = [...(state.pauses?.proposed[seat] ?? []), at].slice(-PROPOSALS_KEPT);
  const proposal = { seat, minutes, until, agreed: [seat] };
  changePauses(state, { proposed: { ...state.pauses?.proposed, [seat]: times }, proposal });
};

const pauseAgreed = (state, { seat }) => {
  const proposal = state.pauses?.proposal ?? null;
  if (proposal !== null) {
    changePauses(state, { proposal: { ...proposal, agreed: [...proposal.agreed, seat] } });
  }
};

const pauseBegan = (state, { at, until }) => {
  state.paused_at = at;
  changePauses(state, { begun: (state.pauses?.begun ?? 0) + 1, proposal: null, running: { until, resuming: [] } });
};

const resumptionAgreed = (state, { seat }) => {
  const running = state.pauses?.running ?? null;
  if (running !== null) {
    changePauses(state, { running: { ...running, resuming: [...running.resuming, seat] } });
  }
};

const gone = (change) => (state, { seat }) => {
  changeSeat(state, seat, () => change);
  dropProposal(state, seat);
};

/** The players' pause becomes the director's, and is one pause with it. */
const paused = (state, { at }) => {
  state.paused_at = state.pauses?.running ? state.paused_at : at;
  endAgreed(state);
};

const closed = (state, { reason, outcome, winners, score = null, cause = null }) => {
  if (state.phase === "open") {
    state.unbegun = true;
  }
  state.phase = "finished";
  state.clock = null;
  letGo(state);
  state.result = { reason, outcome, winners, score, cause };
};

/** What each type of event does to a private state, in which turn; its parts are replaced, not changed. */
export const TABLE = new Map(
  /** @type {Array<[string, (state: any, event: any, turn: number) => void]>} */ ([
    ["table-opened", opened],
    ["player-invited", invited],
    ["invitation-withdrawn", uninvited],
    ["invitation-declined", uninvited],
    ["seat-taken", taken],
    ["seat-left", left],
    ["seat-readied", (state, { seat }) => changeSeat(state, seat, () => ({ ready: true }))],
    ["table-started", started],
    ["clock-started", (state, { key, since, due }) => void (state.clock = { key, since, due })],
    ["seat-timed-out", timedOut],
    ["seat-went-absent", gone({ absent: true })],
    ["seat-returned", returned],
    ["seat-resigned", gone({ resigned: true })],
    ["table-paused", paused],
    ["pause-proposed", pauseProposed],
    ["pause-agreed", pauseAgreed],
    ["pause-declined", (state) => changePauses(state, { proposal: null })],
    ["pause-began", pauseBegan],
    ["resumption-agreed", resumptionAgreed],
    ["table-resumed", resumed],
    ["store-restored", restored],
    ["time-extended", extended],
    ["inspection-began", inspected],
    ["phrase-said", said],
    ["table-closed", closed],
    ["key-published", (state, { key }) => void (state.key = key)],
  ]),
);
