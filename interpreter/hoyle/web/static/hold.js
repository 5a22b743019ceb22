// Taking hold of pieces: which moves begin with what is held, where it may go, and what a click means. It knows moves only by what they are
// bound to: `pick` (piles, or pieces of them by height or sign), `to` (a pile), `several` (pieces chosen together), `aimed` (other piles would do).

/** Is this the piece or the pile that a move takes hold of? */
export function meets(pick, spot) {
  if (pick.pile !== spot.pile) return false;
  if (pick.sign !== undefined) return pick.sign === spot.sign;
  return pick.at === undefined || pick.at === spot.at;
}

export const same = (one, other) => one.pile === other.pile && one.at === other.at;

export class Hold {
  /** `kin`: what places a pile belongs to where several lie together as one; null elsewhere. `aims`: is a place chosen at this decision? */
  constructor(moves, kin = () => null, aims = false) {
    this.moves = moves;
    this.kin = kin;
    this.aims = aims;
    this.picked = [];
  }

  /** Does a move begin with all these spots, each another of its picks? */
  fits(move, spots = this.picked) {
    const left = [...(move.pick ?? [])];
    return spots.every((spot) => {
      const at = left.findIndex((pick) => meets(pick, spot));
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
  }

  candidates(spots = this.picked) {
    return this.moves.filter((move) => move.pick?.length && this.fits(move, spots));
  }

  /** Those whose pieces are all held, and that are not made by putting them somewhere. */
  complete() {
    const held = this.picked.length;
    return held ? this.candidates().filter((move) => move.pick.length === held && (move.several || !move.to)) : [];
  }

  /** May this be taken hold of, with what is held or instead of it? */
  isSource(spot) {
    return this.candidates([spot]).length > 0 || (this.picked.length > 0 && this.candidates([...this.picked, spot]).length > 0);
  }

  isPicked(spot) {
    return this.picked.some((one) => same(one, spot));
  }

  near(pile) {
    return this.moves.filter((move) => move.near === pile);
  }

  /** The moves that put what is held on a pile. */
  onto(pile) {
    if (!this.picked.length) return [];
    const able = this.candidates().filter((move) => move.to && (!move.several || move.pick.length === this.picked.length));
    const exact = able.filter((move) => move.to === pile);
    if (exact.length || this.kin(pile) === null) return exact;
    return able.filter((move) => !move.aimed && this.kin(move.to) === this.kin(pile));
  }

  /** Is something held that no move begins with? */
  get isStray() {
    return this.picked.length > 0 && !this.candidates().length;
  }

  targets() {
    const piles = this.picked.length ? this.candidates().map((move) => move.to) : [];
    return [...new Set(piles)].filter((pile) => pile && this.onto(pile).length);
  }

  letGo() {
    this.picked = [];
  }

  take(spot) {
    this.picked = [spot];
    return { held: true };
  }

  /** What a click on a piece or a pile comes to: {play}, {choose}, {held}, {let: true}, {full: how many},
   * {wrong: {from, to}}, {stray: spot} or nothing. */
  click(spot) {
    return this.picked.length ? this.further(spot) : this.first(spot);
  }

  first(spot) {
    const found = this.candidates([spot]);
    if (!found.length && !this.near(spot.pile).length) return { stray: spot };
    if (!found.length) return meant(this.near(spot.pile));
    this.picked = [spot];
    if (found.some((move) => move.several)) return { held: true };
    const places = new Set(found.map((move) => move.to));
    const free = found.every((move) => !move.to || !(move.aimed || this.aims)); // what has but one place today is not thrown there
    return free && places.size === 1 ? meant(found) : { held: true };
  }

  further(spot) {
    if (this.isPicked(spot)) {
      this.picked = this.picked.filter((one) => !same(one, spot));
      return { let: true };
    }
    if (this.isStray) return this.instead(spot);
    const more = this.candidates([...this.picked, spot]);
    if (more.some((move) => move.several)) {
      this.picked = [...this.picked, spot];
      return { held: true };
    }
    const onto = this.onto(spot.pile);
    if (onto.length) return meant(onto);
    if (more.length) return meant(more);
    if (this.isFull(spot)) return { full: this.picked.length };
    if (this.candidates([spot]).length) {
      this.letGo();
      return this.first(spot);
    }
    return { wrong: { from: this.picked[0], to: spot.pile } };
  }

  /** Are as many chosen as there may be, and would this be one of them if another were put back? */
  isFull(spot) {
    const picked = this.picked;
    const fits = (spots) => this.candidates(spots).some((move) => move.several);
    if (picked.length < 2 || !this.complete().length || picked.some((one) => one.pile !== spot.pile)) return false;
    return picked.some((one) => fits([...picked.filter((other) => other !== one), spot]));
  }

  /** What a double click on a piece comes to: the first move that the rules have for it; where that has several ways, which. */
  twice(spot) {
    const found = this.candidates([spot]);
    if (!found.length || found.some((move) => move.several)) return this.click(spot);
    const first = found.filter((move) => move.group === found[0].group);
    this.picked = [spot];
    return meant(first.length === 1 ? first : found);
  }

  /** After what no move begins with: another piece of its pile, or the place where it should go. */
  instead(spot) {
    const from = this.picked[0];
    if (spot.pile !== from.pile) return { wrong: { from, to: spot.pile } };
    this.letGo();
    return this.first(spot);
  }

  /** What is held is let fall on a pile, or beside all (null): only a move that puts it there is meant by that. */
  drop(pile) {
    const found = pile === null ? [] : this.onto(pile);
    if (found.length) return meant(found);
    const able = this.candidates();
    if (pile !== null && able.length && able.every((move) => !move.to)) return { held: true }; // these are put nowhere
    if (pile === null || pile === this.picked[0]?.pile) return { back: true };
    return { wrong: { from: this.picked[0], to: pile } };
  }
}

const meant = (moves) => (moves.length === 1 ? { play: moves[0] } : moves.length ? { choose: moves } : {});
