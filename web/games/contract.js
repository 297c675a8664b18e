/**
 * What a game brings to the page: one value of six members, which `<game>/game.js` exports as `GAME`, the part of it
 * that the lobby asks, which `<game>/offer.js` exports as `OFFER`, and a lesson. `registry.js` lists both and loads them when they are
 * needed. Everything outside a game's folder asks these members, and knows nothing else of the game. There is no code here.
 *
 * A *play* is the game's own part of a table's state. A *target* is a text by which the board names what can be clicked
 * on it, as `r1c2`; only the game reads it. Nodes are made by `h` and `s` (`dom.js`), texts by `t` (`words.js`). Of what is drawn
 * anew each time only the changes get onto the page (`patch.js`), so a listener finds what it needs by its event.
 */

/**
 * @typedef {Object} Game
 * @property {GameFold} fold events → play.
 * @property {GameBoard} board the drawing, and what stands beside it.
 * @property {GameWords} words what things are called.
 * @property {GameForms} forms what a decision, a seat and a new table ask for.
 * @property {GameLog} log what events say.
 * @property {GameHelp} help what things mean.
 */

/**
 * What the lobby asks of a game, without its board and its fold.
 *
 * @typedef {Object} GameOffer
 * @property {Pick<GameWords, "book"|"character"|"chapters">} words
 * @property {Pick<GameForms, "castOf"|"opening">} forms
 */

/**
 * A short table for learning, which `<game>/lesson.js` exports as `LESSON`. What it says follows from the table's log and from nothing else.
 *
 * @typedef {Object} Lesson
 * @property {{rulebook: string, mode: string, seats: number, options: Object, bot: string|null, scenario: Object}} table what is opened: a
 *   position, in which the learner has seat 1 and house bots called `bot` all others.
 * @property {LessonStep[]} steps in the order in which they are done.
 * @property {(event: any) => boolean} isAct whether an event is what the learner has decided to do.
 */

/**
 * @typedef {Object} LessonStep
 * @property {string} id
 * @property {() => string} name what is learnt, in a word or two.
 * @property {(play: any) => string} hint what to do now, in one or two sentences.
 * @property {(event: any, before: any) => boolean} done whether an event completes the step; `before` is the play before it.
 * @property {(event: any, before: any) => boolean} fits whether an act is what the hint says.
 * @property {(play: any) => boolean} stuck whether the step cannot be done any more.
 */

/**
 * Events → play (pure). `evolve` of `fold/fold.js` changes the members of a play and nothing deeper.
 *
 * @typedef {Object} GameFold
 * @property {() => any} initial the play when the table is opened; null: the page cannot fold this game.
 * @property {Map<string, (play: any, event: any) => void>} events what each type of event does to a private play.
 * @property {(json: any) => any} fromView the play of a GameView.
 * @property {(play: any) => any} toView its inverse.
 * @property {(play: any) => number|null} turn the number of the turn, 0 before the first; null: nobody knows.
 * @property {(play: any) => number|null} lastTurn the turn with which the game ends at the latest.
 * @property {(play: any) => {outcome: string, winners: number[]}|null} end how the game has come out; null: not yet.
 */

/**
 * Something that is drawn once and brought up to date.
 *
 * @typedef {Object} Part
 * @property {Element} element
 * @property {(state: Told.TableState, now: PartNow) => void} update
 * @property {() => void} destroy
 */

/**
 * @typedef {Object} PartNow
 * @property {string} viewer "public", "seat:2" or "full".
 * @property {Map<string, Choice[]>} choices what can be chosen, by target.
 * @property {Answer[]} answers what can be chosen that no target tells apart.
 * @property {any} history what `GameBoard.history` made of the turn that is shown.
 * @property {boolean} running whether the game is still played, whatever moment of it is shown: then a seat's view has secrets.
 * @property {(seat: number) => string} called what the player of a seat is called.
 */

/**
 * The board of a table.
 *
 * @typedef {Object} Board
 * @property {Element} element
 * @property {(state: Told.TableState) => void} fit give the drawing the extent that it has for a state, before it is measured and drawn.
 * @property {(state: Told.TableState, now: BoardNow) => void} update
 * @property {(decision: Told.Decision|null, option: Told.DecisionOption|null) => void} point mark what an option is about that somebody points
 *   at in a list; null: nobody does.
 * @property {string} spared the selector of what answers over the board should not cover: what is marked as to be chosen, and who stands there.
 * @property {(answer: Answer) => Spot|null} spot near what answers stand that no place of the board stands for; null: there is no place
 *   for them.
 * @property {() => void} destroy
 */

/**
 * What answers stand near, in the units of the board's drawing.
 *
 * @typedef {{left: number, right: number, top: number, bottom: number}} Spot
 */

/**
 * Answers to a decision that the board tells apart by no place: they are buttons over it.
 *
 * @typedef {Object} Answer
 * @property {any} decision
 * @property {string} title what is asked.
 * @property {string|null} at the target that has been chosen so far; null: none.
 * @property {AnswerOption[]} options
 */

/**
 * @typedef {Object} AnswerOption
 * @property {string} id differs from those of the others.
 * @property {string} text
 * @property {Node[]|null} face see `GameForms.face`.
 * @property {Element|null} sign see `GameForms.sign`.
 * @property {() => void} choose
 */

/**
 * @typedef {Object} BoardNow
 * @property {string} viewer
 * @property {Map<string, Choice[]>} choices what can be chosen, by target.
 * @property {Begun[]} begun what is asked of the reader in forms of the game.
 * @property {string[]} changed the targets that have just changed.
 * @property {number} unit how many units of the drawing are a pixel of the screen, which the drawing's style has as `--unit`: text on a board is no
 *   smaller than `SMALLEST` pixels, or is left out.
 */

/**
 * What is asked in a form of the game, for its board.
 *
 * @typedef {Object} Begun
 * @property {Told.Decision} decision
 * @property {any} begun what has been begun of it, or handed in; null: nothing.
 * @property {((begun: any) => void)|null} change go on with something else; null: it is handed in, or on its way.
 */

/**
 * @typedef {Object} Choice
 * @property {any} decision
 * @property {any} option
 * @property {string} text
 * @property {() => void} choose
 * @property {() => void} mean say that it is about to be chosen, for those who do it in two steps: a list shows which it is.
 * @property {(target: string) => void} narrow show the options that touch a target.
 */

/**
 * @typedef {Object} GameBoard
 * @property {(options: {book: any, onCell?: (target: string, how: "hover"|"click") => void}) => Board} create the drawing;
 *   `onCell` hears of a place, or of who stands there, that nothing is to be chosen on. What `GameHelp.about` knows has its target as `data-about`.
 * @property {(state: Told.TableState, book: any) => Element} text the same as a table of words, made anew each time.
 * @property {(options: {book: any, onCell?: (target: string, how: "hover"|"click") => void}) => {above: Part[], below: Part[], over: Element[]}} panels what
 *   stands above and below the seats, and what these parts keep over the board, where it is always in sight; `onCell` as of `create`.
 * @property {(seat: number, place: any, given: SeatGiven) => {tags: Array<Node|false>, body: Node|null}} seat what there is
 *   to say of a seat: signs beside its name, and what follows below.
 * @property {(lines: Array<{version: number, event: any}>, given: {stateAt: (version: number) => any}) => any} history
 *   what the events of the turn that is shown have come to, for `panels` and `seat`.
 * @property {(option: Told.DecisionOption) => string[]} targets what an option touches on the board, what it is about first.
 * @property {((meaning: any, state: Told.TableState, book: any) => string[])|null} aim the targets at which somebody presses for something with this meaning
 *   that a decision does not offer (`ReadUnavailable`); none: it cannot be pressed. Null instead of the function: the game gives no reasons.
 * @property {(target: string, meanings: any[], state: Told.TableState, book: any) => string|null} blank what to say of a target that none of these meanings is
 *   about, which are all that one level of a decision offers or does not; null: nothing.
 * @property {(target: string, book: any, state: Told.TableState|null) => string} targetText what a target is called.
 * @property {(state: Told.TableState, book: any) => string[]} places the targets that a phrase can be aimed at as a place; the board has each as `data-cell`.
 * @property {(seat: number, state: Told.TableState) => string[]} speakers the selectors of what stands for a seat on the board, what speaks for it first.
 * @property {(event: any) => string[]} touched the targets that an event changes.
 * @property {(() => Promise<{MOTION: GameMotion}>)|null} motion loads how the drawing moves; null: it does not.
 * @property {(() => Promise<{finale: GameFinale}>)|null} finale loads the last scene; null: there is none.
 * @property {(subject: string, given: {book: any, play?: any, size?: number}) => Element|null} chip a small drawing of whom
 *   a decision is about.
 * @property {(state: Told.TableState, given: {book: any, names: any, fortune: (seat: number) => string}) => Node|null} cast who was who, once the
 *   game is over; `fortune` is a word of `watch.result.*`.
 */

/**
 * How a drawing moves. It is at its place already; this is how it got there (`watch/effect-queue.js`).
 *
 * @typedef {Object} GameMotion
 * @property {(board: Element) => any} look what there is to know of the drawing before it is brought up to date.
 * @property {(events: any[], before: any, board: Element) => Array<import("../watch/effect-queue.js").Effect>} effects how some events have made of it what it
 *   shows now.
 */

/**
 * The last scene of a game that is over, of a state in which everything is open. `seat` is the reader's, `won` whether that has won; null: they did not
 * play, or nobody has won or lost. `said` is what each comes out as, `against` whether that was against the others; null: there is nothing to show.
 *
 * @callback GameFinale
 * @param {any} state
 * @param {{names: any, book: any, seat: number|null, won: boolean|null}} given
 * @returns {{title: string, drawing: Element, people: Array<{face: Element, name: string, said: Node|string, against: boolean}>}|null}
 */

/**
 * @typedef {Object} SeatGiven
 * @property {any} state
 * @property {any} book
 * @property {string} viewer
 * @property {boolean} running as in `PartNow`.
 * @property {any} history
 * @property {Answer[]} answers as in `PartNow`.
 * @property {(target: string, how: "click") => void} onCell as of `GameBoard.create`: the seat is pressed, and is not to be chosen though seats are.
 */

/**
 * The game's words lie in `words/<language>.json` of its folder; every key begins with the game's id and a slash.
 *
 * @typedef {Object} GameWords
 * @property {(book: any) => string} name what the game is called.
 * @property {(json: any) => any} book the book of a rulebook (`book.js`), with all that the game asks it.
 * @property {(book: any, names: any) => any} names the names that the log's sentences use, beside those of every table.
 * @property {(book: any, id: string) => string} character what one of the characters on a seat is called.
 * @property {(book: any, id: string) => string} subject what a decision is about.
 * @property {(decision: Told.Decision, book: any) => string} title what is asked.
 * @property {(state: Told.TableState, names: any) => string|null} ending why a game that has been played to its end has come out as it has, in
 *   a sentence; null: nobody here can say.
 * @property {(decision: Told.Decision, book: any, state: Told.TableState|null) => string|null} limit what else there is to say of what is asked, as why there is less to
 *   choose than usual, or how much is still to come; null: nothing.
 * @property {(state: Told.TableState, book: any) => string[]} inForce what holds for everybody at this moment and is not on the board, in a few words
 *   each, what matters most first: where there is little room, the others are left out.
 * @property {(book: any) => Chapter[]} chapters what the page of rules has of a rulebook besides its modes; those without entries are left out.
 */

/**
 * A part of the page of rules.
 *
 * @typedef {{title: string, entries: Array<{name: string|null, texts: string[]}>}} Chapter
 */

/**
 * @typedef {Object} GameForms
 * @property {Object<string, DecisionForm>} drawn the kinds of decisions with a form of their own.
 * @property {Set<string>} confirmed kinds that are asked again before they are done.
 * @property {Set<string>} divided kinds whose options are always listed by what they are about.
 * @property {(decision: Told.Decision, option: Told.DecisionOption, book: any, state: Told.TableState|null) => Node[]|null} face what stands on an option's button; null: its text.
 *   Buttons whose face has the class `p-brief` stand side by side.
 * @property {(decision: Told.Decision, option: Told.DecisionOption) => Element|null} sign the pictogram of what an option does, which can do without words
 *   where there is little room; null: it has none.
 * @property {(options: Told.DecisionOption[]) => boolean} asForm whether a level of options is chosen from by `level`, and not by buttons.
 * @property {(given: LevelGiven) => Element|null} level a form of its own for what a level of options offers; null: a list.
 * @property {(decision: Told.Decision, decisions: Told.Decision[]) => Array<{decision: Told.Decision, option: Told.DecisionOption}>} shortcuts options of voluntary decisions
 *   that are at hand beside a decision.
 * @property {(decision: Told.Decision, state: Told.TableState|null, now: number) => number|null} moment when an answer that is given now is sent, in
 *   milliseconds of the service's clock; null: at once.
 * @property {Standing|null} standing what the page can be told to answer by itself; null: nothing.
 * @property {(decision: Told.Decision, state: Told.TableState|null) => string|null} handedIn the option that the view says has been handed in.
 * @property {(decision: Told.Decision, book: any, state: Told.TableState|null) => boolean} isOpen whether everybody sees what is handed in, though it
 *   may still be changed.
 * @property {(state: Told.TableState, book: any) => Cast|null} castOf whom one may choose to play; null: nobody is chosen.
 * @property {Opening} opening
 */

/**
 * What the page can be told to answer by itself, as long as something lasts.
 *
 * @typedef {Object} Standing
 * @property {(state: Told.TableState|null) => {scope: string, text: string}|null} offer what the switch says; it is off again when
 *   `scope` is another; null: there is nothing to switch now.
 * @property {(decision: Told.Decision, state: Told.TableState|null) => string|null} answer the option with which the page answers, at its `moment`; null: it
 *   does not answer this decision, or the state is older than it.
 */

/**
 * The form of a kind of decision. What has been begun is the form's own; it is kept while the decision is open.
 *
 * @typedef {Object} DecisionForm
 * @property {(decision: Told.Decision, chosen: string|null) => any} begin what to begin with; `chosen` is an option's id.
 * @property {(decision: Told.Decision, kept: unknown) => any} resume what was begun before the page was loaded anew, held to the options that
 *   there are; null: nothing of it can be gone on with. It has been through JSON, and may be anything.
 * @property {(given: FormGiven, key: string) => {begun: any, said: string|null}|null} press what is begun once a key of the keyboard has been
 *   pressed, and what to say if that is as it was; null: the key means nothing here.
 * @property {(given: {decision: Told.Decision, begun: any}) => Told.DecisionOption|null} complete the option that what is begun comes to; null: something
 *   is missing.
 * @property {(given: FormDrawn) => Element} draw
 */

/**
 * @typedef {Object} FormGiven
 * @property {Told.Decision} decision
 * @property {any} book
 * @property {Told.TableState|null} state
 * @property {any} begun
 */

/**
 * @typedef {FormGiven & {busy: boolean, keyed: boolean, onChange: (begun: any) => void, onSend: (option: Told.DecisionOption) => void}} FormDrawn
 *   `keyed`: the keyboard's keys go to this form, wherever the focus is.
 */

/**
 * What a level of options is drawn of.
 *
 * @typedef {Object} LevelGiven
 * @property {any} decision
 * @property {any[]} options
 * @property {any} book
 * @property {any} state a table's state; null: it is not known.
 * @property {boolean} busy
 * @property {(option: Told.DecisionOption) => void} onTake hears of leaves and of branches.
 */

/**
 * Whom one may play, before sitting down.
 *
 * @typedef {Object} Cast
 * @property {Array<{id: string}>} free
 * @property {(chosen: string[], how: {id: string, onChoose: (ids: string[]) => void}) => Element} draw `id` is the field's.
 */

/**
 * What the form for a new table asks of the game. A wish is what `lobby/wish.js` makes.
 *
 * @typedef {Object} Opening
 * @property {string|null} rulebook the one to begin with.
 * @property {string|null} bot the kind of house bot to begin with.
 * @property {{rulebook: string, mode: string, seats: number, options: Object<string, any>}|null} beginners the table for somebody who has never
 *   played, with house bots on all other seats; null: there is none.
 * @property {(mode: any, wish: any) => string[]} facts what the choice means, in words.
 * @property {(option: any, given: {json: any, mode: any, wish: any}) => any[]} values the values of an option that go with
 *   the rest of the wish; none: it is no option now.
 * @property {(option: any, value: any, book: any) => string|null} valueText null: the value itself will do.
 * @property {(wish: any, json: any, mode: any) => any} extra what a table is opened with beside its options; null: nothing.
 * @property {(book: any, extra: any, onChange: (extra: any) => void) => Element} extraFields
 * @property {(extra: any) => Object<string, any>} extraOptions the options of the request that it becomes.
 */

/**
 * @typedef {Object} GameLog
 * @property {Object<string, (value: any, book: any) => string>} spell how holes are written (`sentences.js`): `place`, a place of the board as
 *   `GameBoard.targetText` calls it, which sentences of every table have, and kinds of the game's own. The sentences themselves are words of the rulebook.
 * @property {(event: any, given: {version: number, timeline: any}) => Object<string, any>} beside what a sentence needs
 *   beside the fields of its event.
 * @property {Object<string, string[]>} kinds the types of events of each kind, in the order of the filter; kinds of every
 *   table may be among them (`watch/kinds.js`).
 * @property {string} otherwise the kind of a type that is in none.
 * @property {Object<string, string[]>} marks the types of events that the scrubber marks, by kind of mark.
 * @property {Object<string, string>} markShapes the outline of each kind of mark of its own, round (0, 0), as a path.
 * @property {string[]} headlines the types of events that are worth saying while a game is played fast.
 * @property {(event: any, next: any) => boolean} repeated whether an event need not be told any more, since the next one that is told says
 *   as much or shows that nothing has come of it: then the log leaves it out (`watch/story.js`).
 * @property {(event: any, before: any) => boolean} echoed whether an event says nothing that the one that is told just before has not said.
 * @property {(event: any) => number} weight how much an event may have turned the game; 0: not at all.
 * @property {(event: any) => {turn?: number, part: string}|null} chapter the chapter that an event begins.
 * @property {(event: any) => string[]} characters whom an event names, for the filter.
 */

/**
 * @typedef {Object} GameHelp
 * @property {(book: any) => Element|null} legend what the signs of the drawing mean.
 * @property {() => {name: string, title: string, text: string, drawing: Element}} invitation what the game is, for a visitor.
 * @property {(event: any, book: any, text: string) => {title: string, content: Node[]}|null} named what there is to know of what an event
 *   and a text, which may be its sentence, name; an event of null: of what the text names. Null: nothing.
 * @property {(state: Told.TableState, target: string, given: {book: any, names: any}) => {title: string, content: Node[]}|null} about what a target of the
 *   board is and does, or another that a `data-about` of the game's nodes names; null: there is nothing to say.
 * @property {(state: Told.TableState, target: string, names: any) => Story|null} story the history of what lies on a place.
 * @property {(seat: number, given: KnowledgeGiven) => Known[]} knowledge what a seat knew of each place of the board, or of what else may be hidden. It
 *   goes by the states of one view, and so tells no more than that.
 */

/**
 * @typedef {Object} KnowledgeGiven
 * @property {number} at the version that is shown.
 * @property {number} first the first that there is.
 * @property {(version: number) => Told.TableState} stateAt from `first` to `at`; asked in order it is quick.
 * @property {any} names
 */

/**
 * @typedef {Object} Known
 * @property {string|null} target the place, that the board has as `data-cell`; null: it lies on none.
 * @property {string} what what it is called, and what lies there as far as the view shows it.
 * @property {"all"|"seat"|"nobody"} by open to everybody, known to the seat, or unknown to it.
 * @property {number|null} since the version from which on it was known.
 * @property {number[]} others the other seats that knew it, where not all did.
 */

/**
 * @typedef {Object} Story
 * @property {string} title
 * @property {string} text
 * @property {string} empty what to say where nothing has happened to it.
 * @property {(state: Told.TableState) => string|null} seen all that there is to see of it, as a text that differs where anything does;
 *   null: it is not there. Asked version by version, in order.
 */

export {};
