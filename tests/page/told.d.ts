// What the service tells, for the types in the page's comments.
// Written by `make openapi`.

declare namespace Told {
  interface AgreedPause {
    resuming?: Array<number>;
    until: number;
  }
  interface BranchOrigin {
    characters: Array<Array<string>>;
    game: string;
    version: number;
  }
  interface CerveauuuActivation {
    attack?: string | null;
    halted?: boolean;
    owes?: boolean;
    rest?: Array<string>;
    stopped?: boolean;
    trail?: Array<string>;
    zombie: string;
  }
  interface CerveauuuArmedTrigger {
    card: string;
    effect: number;
    lasts: string;
    pieces: Array<string>;
    seat: number;
    slots: Array<string>;
    when: string;
  }
  interface CerveauuuCardWindow {
    answers?: { [key: string]: string | null };
    floor?: number;
    kind: string;
    last?: CerveauuuLastPlay | null;
    number: number;
    order?: Array<number>;
    passed?: { [key: string]: string };
    suspended?: Array<number>;
    timeline?: Array<CerveauuuPlannedStep>;
    trigger: number;
    version?: number;
  }
  interface CerveauuuEnding {
    outcome: string;
    winners: Array<number>;
  }
  interface CerveauuuFight {
    asked?: number;
    attackers: Array<string>;
    consents?: { [key: string]: boolean | null };
    defenders: Array<string>;
    exempt?: { [key: string]: string };
    last_side?: string | null;
    principal: string;
    proposal?: CerveauuuProposal | null;
    share?: { [key: string]: string };
    target: string;
    totals?: Array<number>;
    winner?: string | null;
  }
  interface CerveauuuLastPlay {
    card: string;
    designated: Array<string>;
    seat: number;
  }
  interface CerveauuuModifier {
    absolute?: boolean;
    area?: CerveauuuPieces | null;
    card: string;
    lasts: string;
    pieces?: Array<string>;
    seat?: number | null;
    seats?: Array<number>;
    stat: string;
    value?: number;
  }
  interface CerveauuuPanic {
    queue: Array<string>;
    runner?: string | null;
    seen?: Array<string>;
    taken?: number;
    trail?: Array<string>;
  }
  interface CerveauuuPiece {
    activated?: boolean;
    attacked?: boolean;
    blocked?: boolean;
    cell: string;
    controller?: number | null;
    doomed?: boolean;
    id: string;
    moved?: boolean;
    must_leave?: boolean;
    protections?: Array<string>;
    touched_by?: Array<number>;
  }
  interface CerveauuuPieces {
    filters?: Array<string>;
    kind: string;
  }
  type CerveauuuPlannedStep = [string, string];
  interface CerveauuuProposal {
    invited: Array<string>;
    share: { [key: string]: string };
  }
  interface CerveauuuState {
    activation: CerveauuuActivation | null;
    agenda: any;
    asked: number;
    bans: Array<CerveauuuTypeBan>;
    cells: { [key: string]: Array<Array<string>> };
    chief: number;
    colours: { [key: string]: string };
    counters: { [key: string]: number };
    credits: Array<string>;
    credits_need: number;
    deck: Array<string> | null;
    deck_size: number;
    discards: { [key: string]: Array<number> | null };
    dormant: Array<number>;
    edges: { [key: string]: Array<Array<string>> };
    end: CerveauuuEnding | null;
    fight: CerveauuuFight | null;
    go: number | null;
    hands: { [key: string]: { [key: string]: string | null } };
    last_go: number | null;
    map: string;
    media_lock: boolean;
    mode: string;
    modifiers: Array<CerveauuuModifier>;
    next_numbers: { [key: string]: number };
    options: { [key: string]: any };
    panic: CerveauuuPanic | null;
    phase: string;
    pieces: { [key: string]: CerveauuuPiece };
    piles: { [key: string]: Array<string> };
    played: { [key: string]: number };
    replacing: { [key: string]: boolean };
    round: number;
    rulebook: string;
    scores: { [key: string]: number };
    seats: Array<number>;
    shuffles: number;
    swapped: Array<number>;
    triggers: Array<CerveauuuArmedTrigger>;
    wandering: CerveauuuWandering | null;
    weather: CerveauuuWeather | null;
    window: CerveauuuCardWindow | null;
    windows: number;
    yields: { [key: string]: CerveauuuYieldOrder };
  }
  interface CerveauuuTypeBan {
    card: string;
    lasts: string;
    type: string;
  }
  interface CerveauuuWandering {
    answers?: { [key: string]: string | null };
    asked?: Array<string>;
    batch?: { [key: string]: number };
    passes?: number;
    turns?: number;
  }
  interface CerveauuuWeather {
    card: string;
    seat: number;
  }
  interface CerveauuuYieldOrder {
    deep?: boolean;
    kind: string;
    window?: boolean;
  }
  interface Decision {
    answered: boolean;
    deadline: number | null;
    default: string | null;
    id: string;
    kept?: boolean;
    kind: string;
    optional: boolean;
    options: Array<DecisionOption>;
    seat: number;
    secret: boolean;
    subject: string | null;
  }
  interface DecisionList {
    decisions: Array<Decision>;
    durable_version: number;
    game: string;
    now: number;
    seats: Array<number>;
    status: string;
    version: number;
  }
  interface DecisionOption {
    branch?: boolean;
    id: string;
    meaning?: { [key: string]: any };
  }
  interface GameResult {
    cause?: string | null;
    outcome: string;
    reason: string;
    score?: number | null;
    winners: Array<number>;
  }
  interface Inspection {
    account: string;
    at: number;
    eyes: string | null;
    office: string;
    reason: string | null;
    until: number;
  }
  interface OptionList {
    decision: string;
    game: string;
    option: string;
    options: Array<DecisionOption>;
    version: number;
  }
  interface PauseProposal {
    agreed: Array<number>;
    minutes: number;
    seat: number;
    until: number;
  }
  interface Pauses {
    begun?: number;
    proposal?: PauseProposal | null;
    proposed?: { [key: string]: Array<number> };
    running?: AgreedPause | null;
  }
  interface PlayerEntropy {
    player: string;
    text: string;
  }
  interface Restored {
    epoch: number;
    from_version: number;
    held: boolean;
    to_version: number;
  }
  interface Room25Character {
    acted?: number;
    adrenaline?: string;
    alive?: boolean;
    cell: string | null;
    cold_next?: boolean;
    delayed?: boolean;
    drawn?: Array<string>;
    entry?: number;
    flood?: number | null;
    free?: boolean;
    hidden?: boolean;
    id: string;
    leaving?: boolean;
    limited?: boolean;
    lost?: Array<string>;
    paranoid?: boolean;
    passed?: boolean;
    powered?: boolean;
    program?: Room25Program | null;
    returned?: boolean;
    role?: string | null;
    role_public?: boolean;
    seat: number;
    spares?: number;
    stack?: Array<string> | null;
    stacked?: number;
    team: string;
    tokens?: Array<string>;
    trap?: Room25Trap | null;
    used?: Array<string>;
  }
  interface Room25Claim {
    color: string;
    tile: number;
  }
  interface Room25End {
    outcome: string;
    score?: number | null;
    winners: Array<number>;
  }
  interface Room25Program {
    adrenaline?: boolean | null;
    tokens?: Array<string | null> | null;
  }
  interface Room25State {
    actor: string | null;
    agenda: any;
    asked: number;
    characters: { [key: string]: Room25Character };
    claims: { [key: string]: Array<Room25Claim> };
    clues: { [key: string]: string | null };
    composition: { [key: string]: number };
    dead: Array<string>;
    deck: Array<string> | null;
    deck_size: number;
    discard: Array<string>;
    end: Room25End | null;
    entries: number;
    grid: { [key: string]: Room25Tile };
    key_activated: boolean;
    last_turn: number;
    locks: number;
    markers: { [key: string]: string };
    mode: string;
    options: { [key: string]: any };
    order: Array<string>;
    peeked: { [key: string]: Array<number> };
    phase: string;
    reminded: { [key: string]: number };
    robots: Array<string | null>;
    room25_revealed: boolean;
    round: number;
    rulebook: string;
    shown: Array<string>;
    shuffles: number;
    tiles_made: number;
    turn: number;
    undealt: Array<string> | null;
    windows: Array<number>;
    withdrawn: Array<number>;
  }
  interface Room25Tile {
    axis?: string | null;
    id: number;
    kind?: string | null;
    lock?: boolean;
    reminders?: Array<number>;
    seal?: boolean;
    up?: boolean;
  }
  interface Room25Trap {
    tile: number;
    turn: number;
  }
  interface SeatState {
    absent: boolean;
    bot: string | null;
    characters: Array<string>;
    missed_turn?: number;
    name_seal: string;
    player: string;
    program?: boolean;
    ready: boolean;
    resigned: boolean;
    returns: number;
    strikes: number;
  }
  interface SpectatorDelay {
    seconds?: number;
    turns?: number;
  }
  interface TableClock {
    due: number;
    key: string;
    since: number;
  }
  interface TableState {
    clock: TableClock | null;
    delay: SpectatorDelay | null;
    entropy: Array<PlayerEntropy>;
    game: string;
    host: string;
    inspections?: Array<Inspection>;
    invitations?: number;
    invited: Array<string>;
    key: string | null;
    key_hash: string;
    laid?: Array<{ [key: string]: any }> | null;
    leavings: number;
    mode: string;
    options: { [key: string]: any };
    origin?: BranchOrigin;
    paused_at: number | null;
    pauses?: Pauses;
    phase: string;
    phrases?: { [key: string]: Array<number> };
    play: any;
    programs?: boolean;
    restored?: Restored;
    result: GameResult | null;
    rulebook: string;
    scenario: boolean;
    seat_count: number;
    seats: { [key: string]: SeatState };
    situation: { [key: string]: any } | null;
    start: string;
    time: TimeControl;
    tournament?: string;
    unbegun?: boolean;
    visibility: string;
  }
  interface TimeControl {
    absent_after: number;
    bot_pace_ms: number;
    limits_s: { [key: string]: number };
  }
  interface UnavailableOption {
    code: string;
    meaning: { [key: string]: any };
    text: string;
  }
  interface UnavailableOptions {
    decision: string;
    game: string;
    unavailable: Array<UnavailableOption>;
    version: number;
  }
}
