// The pieces that a player has selected: which moves fit, where they may go, and what a click means. Knows nothing about games:
// a move has `pick` (piles, or pieces by height or sign), `to` (a pile), `several` (a set of pieces), `aimed` (other targets exist).

/** True if a spot is the piece or pile that a move picks up. */
export function matches(pick, spot) {
  if (pick.pile !== spot.pile) return false;
  if (pick.sign !== undefined) return pick.sign === spot.sign;
  return pick.at === undefined || pick.at === spot.at;
}

export const isSameSpot = (one, other) => one.pile === other.pile && one.at === other.at;

export class Selection {
  /** `groupOf(pile)`: piles that count as one place, null if none. `hasAims`: whether any move of this decision has a target. */
  constructor(moves, groupOf = () => null, hasAims = false) {
    this.moves = moves;
    this.groupOf = groupOf;
    this.hasAims = hasAims;
    this.picked = [];
  }

  /** True if a move picks up all these spots, each by another pick. */
  fits(move, spots = this.picked) {
    const left = [...(move.pick ?? [])];
    return spots.every((spot) => {
      const at = left.findIndex((pick) => matches(pick, spot));
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
  }

  findCandidates(spots = this.picked) {
    return this.moves.filter((move) => move.pick?.length && this.fits(move, spots));
  }

  /** Moves whose pieces are all selected and that need no target. */
  findComplete() {
    const held = this.picked.length;
    return held ? this.findCandidates().filter((move) => move.pick.length === held && (move.several || !move.to)) : [];
  }

  /** True if a spot can be added to the selection or replace it. */
  isSource(spot) {
    return this.findCandidates([spot]).length > 0 || (this.picked.length > 0 && this.findCandidates([...this.picked, spot]).length > 0);
  }

  isPicked(spot) {
    return this.picked.some((one) => isSameSpot(one, spot));
  }

  findNear(pile) {
    return this.moves.filter((move) => move.near === pile);
  }

  /** Moves that put the selected pieces on a pile. */
  findMovesOnto(pile) {
    if (!this.picked.length) return [];
    const able = this.findCandidates().filter((move) => move.to && (!move.several || move.pick.length === this.picked.length));
    const exact = able.filter((move) => move.to === pile);
    if (exact.length || this.groupOf(pile) === null) return exact;
    return able.filter((move) => !move.aimed && this.groupOf(move.to) === this.groupOf(pile));
  }

  /** True if no move begins with the selected piece. */
  get isStray() {
    return this.picked.length > 0 && !this.findCandidates().length;
  }

  listTargets() {
    const piles = this.picked.length ? this.findCandidates().map((move) => move.to) : [];
    return [...new Set(piles)].filter((pile) => pile && this.findMovesOnto(pile).length);
  }

  clear() {
    this.picked = [];
  }

  take(spot) {
    this.picked = [spot];
    return { held: true };
  }

  /** The meaning of a click: {play}, {choose}, {held}, {let: true}, {full: count},
   * {wrong: {from, to}}, {stray: spot} or nothing. */
  click(spot) {
    return this.picked.length ? this.continueWith(spot) : this.startWith(spot);
  }

  startWith(spot) {
    const found = this.findCandidates([spot]);
    if (!found.length && !this.findNear(spot.pile).length) return { stray: spot };
    if (!found.length) return toAnswer(this.findNear(spot.pile));
    this.picked = [spot];
    if (found.some((move) => move.several)) return { held: true };
    const places = new Set(found.map((move) => move.to));
    const free = found.every((move) => !move.to || !(move.aimed || this.hasAims)); // with a single target only by chance, the player still drops it
    return free && places.size === 1 ? toAnswer(found) : { held: true };
  }

  continueWith(spot) {
    if (this.isPicked(spot)) {
      this.picked = this.picked.filter((one) => !isSameSpot(one, spot));
      return { let: true };
    }
    if (this.isStray) return this.afterStray(spot);
    const more = this.findCandidates([...this.picked, spot]);
    if (more.some((move) => move.several)) {
      this.picked = [...this.picked, spot];
      return { held: true };
    }
    const onto = this.findMovesOnto(spot.pile);
    if (onto.length) return toAnswer(onto);
    if (more.length) return toAnswer(more);
    if (this.isFull(spot)) return { full: this.picked.length };
    if (this.findCandidates([spot]).length) {
      this.clear();
      return this.startWith(spot);
    }
    return { wrong: { from: this.picked[0], to: spot.pile } };
  }

  /** True if as many pieces are selected as a move takes, and this one could replace another. */
  isFull(spot) {
    const picked = this.picked;
    const fits = (spots) => this.findCandidates(spots).some((move) => move.several);
    if (picked.length < 2 || !this.findComplete().length || picked.some((one) => one.pile !== spot.pile)) return false;
    return picked.some((one) => fits([...picked.filter((other) => other !== one), spot]));
  }

  /** The meaning of a double click: the first kind of move for the piece; if it has several moves, ask which. */
  doubleClick(spot) {
    const found = this.findCandidates([spot]);
    if (!found.length || found.some((move) => move.several)) return this.click(spot);
    const first = found.filter((move) => move.group === found[0].group);
    this.picked = [spot];
    return toAnswer(first.length === 1 ? first : found);
  }

  /** After a stray piece: select another piece of its pile, or ask why it cannot go to this pile. */
  afterStray(spot) {
    const from = this.picked[0];
    if (spot.pile !== from.pile) return { wrong: { from, to: spot.pile } };
    this.clear();
    return this.startWith(spot);
  }

  /** The selected pieces were dropped on a pile (null: beside all piles). Only moves onto that pile are toAnswer. */
  drop(pile) {
    const found = pile === null ? [] : this.findMovesOnto(pile);
    if (found.length) return toAnswer(found);
    const able = this.findCandidates();
    if (pile !== null && able.length && able.every((move) => !move.to)) return { held: true }; // moves without a target stay selected
    if (pile === null || pile === this.picked[0]?.pile) return { back: true };
    return { wrong: { from: this.picked[0], to: pile } };
  }
}

const toAnswer = (moves) => (moves.length === 1 ? { play: moves[0] } : moves.length ? { choose: moves } : {});
