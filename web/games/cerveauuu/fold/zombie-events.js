/** How the events of wandering, goes and fights are recorded in a play (pure). */

import { add, byId, change, remove } from "./pieces.js";
import { addTo, changed, without } from "./state.js";

const wandered = (play, { human, path }) => {
  change(play, [human], { cell: path.at(-1), moved: true });
  const { wandering } = play;
  play.wandering = wandering && changed(wandering, { turns: (wandering.turns ?? 0) + 1, passes: 0 });
};

const passed = (play) => {
  const { wandering } = play;
  play.wandering = wandering && changed(wandering, { turns: (wandering.turns ?? 0) + 1, passes: (wandering.passes ?? 0) + 1 });
};

const dealt = (play, { humans, asked = [] }) => {
  play.wandering = play.wandering && changed(play.wandering, { batch: humans, asked });
};

const answered = (play, { human, choice = null }) => {
  const { wandering } = play;
  play.wandering = wandering && changed(wandering, { answers: { ...wandering.answers, [human]: choice } });
};

const batch = (play, { paths }) => {
  for (const [name, path] of Object.entries(paths)) {
    change(play, [name], { cell: path.at(-1), moved: true });
  }
};

const activated = (play, { zombie, path = [], attack = null }) => {
  const { cell, must_leave } = play.pieces[zombie];
  change(play, [zombie], { activated: true });
  play.activation = changed({ zombie }, { rest: path, attack, trail: [cell], owes: must_leave });
};

/** Change the activation or the fight, where there is one. */
const alter = (part) => (play, changes) => {
  play[part] = play[part] && changed(play[part], changes);
};
const activation = alter("activation");
const fight = alter("fight");

const attack = (play, { principal, target }) => {
  change(play, [principal], { activated: true, attacked: true });
  play.fight = { principal, target, attackers: [principal], defenders: [target] };
};

const joined = (play, { side, pieces, by_card = false }) => {
  if (play.fight === null) {
    return;
  }
  fight(play, { [side]: byId([...play.fight[side], ...pieces]) });
  if (by_card) {
    const cells = Object.fromEntries(pieces.map((name) => [name, play.pieces[name].cell]));
    fight(play, { exempt: { ...play.fight.exempt, ...cells } });
  }
};

const left = (play, { pieces }) => {
  const stays = (name) => !pieces.includes(name);
  if (play.fight !== null) {
    const { attackers, defenders, exempt = {} } = play.fight;
    fight(play, { attackers: attackers.filter(stays), defenders: defenders.filter(stays), exempt: without(exempt, ...pieces) });
  }
};

const settled = (play, { supporters, share }) => {
  if (play.fight !== null) {
    change(play, supporters, { activated: true, attacked: true });
    const attackers = byId([...play.fight.attackers, ...supporters]);
    fight(play, { attackers, share, proposal: null, consents: {} });
  }
};

const eaten = (play, { seat, human, zombie }) => {
  const { cell } = play.pieces[human];
  remove(play, human);
  add(play, { id: zombie, cell, controller: seat, blocked: true });
  play.scores = addTo(play.scores, seat, 1);
};

/** @type {Array<[string, (play: any, event: any) => void]>} */
export const ZOMBIE_EVENTS = [
  ["wandering-began", (play) => void (play.wandering = {})],
  ["human-wandered", wandered],
  ["wander-passed", passed],
  ["batch-dealt", dealt],
  ["batch-answered", answered],
  ["batch-judged", batch],
  ["wandering-ended", (play) => void (play.wandering = null)],
  ["go-began", (play, { seat }) => void Object.assign(play, { go: seat, last_go: seat })],
  ["go-ended", (play) => void (play.go = null)],
  ["zombie-activated", activated],
  ["path-changed", (play, { path, attack: target = null }) => activation(play, { rest: path, attack: target })],
  ["movement-halted", (play) => activation(play, { halted: true })],
  ["movement-stopped", (play, { stopped }) => activation(play, { stopped })],
  ["activation-ended", (play) => void (play.activation = null)],
  ["zombies-stood-down", (play, { zombies }) => change(play, zombies, { activated: true })],
  ["attack-began", attack],
  ["fight-joined", joined],
  ["fight-left", left],
  ["support-proposed", (play, { proposal }) => fight(play, { proposal, consents: {}, asked: (play.fight?.asked ?? 0) + 1 })],
  ["consent-given", (play, { seat, accepts = null }) => fight(play, { consents: { ...play.fight?.consents, [seat]: accepts } })],
  ["consents-judged", (play, { accepts }) => fight(play, { consents: accepts })],
  ["support-settled", settled],
  ["fight-weighed", (play, { totals, winner = null }) => fight(play, { totals, winner })],
  ["fight-resolved", (play, { winner = null }) => fight(play, { winner })],
  ["human-eaten", eaten],
  ["fight-ended", (play) => void (play.fight = null)],
];
