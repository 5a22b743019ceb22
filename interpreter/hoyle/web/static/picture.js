// The table: the server's picture put in, what may be taken or reached marked, and pieces moved from where they lay to where they lie.

import { drawing } from "./dom.js";
import { isNarrow } from "./layout.js";
import { t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const still = matchMedia("(prefers-reduced-motion: reduce)");
const SLOW = 260;
const BELOW = 70;
/** How high what stands above and below the table is, about. */
const [BARS, NARROW_BARS] = [160, 260];
const READABLE = 0.9;
/** What is so much lower than before is another part of the game. */
const OTHER = 0.8;

export class Picture {
  constructor(place) {
    this.place = place;
    this.svg = null;
    this.piles = new Map();
    this.over = null;
    this.copies = new Map();
    this.wide = 0;
    this.tallest = 0;
  }

  /** The room for the picture, in steps, so that it is not drawn anew for a few pixels. */
  room() {
    const step = (pixels, most) => 20 * Math.round(Math.min(pixels, most) / 20);
    return { width: step(this.place.clientWidth || innerWidth, 1200), height: step(innerHeight - (isNarrow() ? NARROW_BARS : BARS), 2000) };
  }

  pieces() {
    return this.svg ? [...this.svg.querySelectorAll("g.piece:not(.carried *)")] : [];
  }

  pile(key) {
    return this.svg?.querySelector(`g.pile[data-pile="${CSS.escape(key)}"]`) ?? null;
  }

  /** Shows a table; what moved is seen moving. */
  show(message, quick) {
    const before = this.svg && !quick && !still.matches ? this.places() : null;
    const svg = drawing(message.svg);
    this.place.replaceChildren(svg);
    this.svg = svg;
    [this.over, this.copies] = [null, new Map()];
    this.fit();
    this.piles = new Map(message.piles.map((pile) => [pile.key, pile]));
    return before ? this.move(before) : Promise.resolve();
  }

  /** As wide as there is room; less only where it would be higher than the window, and never so much less that its small print cannot be read.
   * What was as high once keeps that room, so that nothing jumps when a column grows and goes. */
  fit() {
    if (!this.svg) return;
    const { width, height } = this.svg.viewBox.baseVal;
    if (width !== this.wide || height < OTHER * this.tallest) [this.wide, this.tallest] = [width, 0];
    this.tallest = Math.max(this.tallest, height);
    const most = this.place.clientWidth / width;
    const high = (innerHeight - this.place.getBoundingClientRect().top - scrollY - BELOW) / this.tallest;
    const scale = isNarrow() ? most : Math.min(most, Math.max(high, READABLE));
    this.svg.style.width = `${width * scale}px`;
    this.place.style.minHeight = `${this.tallest * scale}px`;
  }

  /** Where pieces lie: by pile and height, by sign, and how many each pile has. */
  places() {
    const found = { at: new Map(), sign: new Map(), pile: new Map(), count: new Map() };
    for (const piece of this.pieces()) {
      const rect = (this.copies.get(piece) ?? piece).getBoundingClientRect(); // what was let fall comes from there
      const { pile, at, sign } = piece.dataset;
      found.at.set(`${pile}#${at}#${sign ?? ""}`, rect);
      if (sign) found.sign.set(sign, [...(found.sign.get(sign) ?? []), { pile, rect }]);
    }
    for (const pile of this.svg.querySelectorAll("g.pile")) found.pile.set(pile.dataset.pile, pile.getBoundingClientRect());
    for (const [key, pile] of this.piles) found.count.set(key, pile.count);
    return found;
  }

  move(before) {
    const fewer = [...this.piles.values()].find((pile) => (before.count.get(pile.key) ?? 0) > pile.count);
    const moved = this.pieces().map((piece) => {
      const from = this.came(piece, before, fewer?.key);
      return from ? this.slide(piece, from) : null;
    });
    return Promise.all(moved.filter(Boolean).map((one) => one.finished.catch(() => undefined)));
  }

  /** Where a piece was: one of its sign, elsewhere if there is none here; else the pile that lost something. */
  came(piece, before, fewer) {
    const { pile, at, sign } = piece.dataset;
    if (before.at.has(`${pile}#${at}#${sign ?? ""}`)) return before.at.get(`${pile}#${at}#${sign ?? ""}`);
    const known = sign ? (before.sign.get(sign) ?? []) : [];
    const here = known.find((one) => one.pile === pile) ?? known[0];
    if (here) return here.rect;
    const grown = (this.piles.get(pile)?.count ?? 0) > (before.count.get(pile) ?? 0);
    return grown && fewer !== undefined ? before.pile.get(fewer) : null;
  }

  slide(piece, from) {
    const to = piece.getBoundingClientRect();
    const scale = this.svg.getScreenCTM().a;
    const [x, y] = [(from.x - to.x) / scale, (from.y - to.y) / scale];
    if (Math.abs(x) + Math.abs(y) < 2) return null;
    const base = piece.transform.baseVal.consolidate()?.matrix;
    const [e, f] = [base?.e ?? 0, base?.f ?? 0];
    const ways = [{ transform: `translate(${e + x}px, ${f + y}px)` }, { transform: `translate(${e}px, ${f}px)` }];
    return piece.animate(ways, { duration: SLOW, easing: "ease-out" });
  }

  // ---- what may be done ----

  words(spot) {
    const pile = this.piles.get(spot.pile);
    const piece = spot.at === undefined ? undefined : pile?.pieces[spot.at];
    if (spot.at === undefined) return t("pile", { pile: pile?.words ?? spot.pile, count: pile?.count ?? 0 });
    return t("in_pile", { piece: piece ? piece[2] || piece[1] : t("back"), pile: pile?.words ?? spot.pile });
  }

  /** Marks what may be taken hold of, what is held, and where it may go. */
  mark(hold) {
    for (const node of this.svg.querySelectorAll(".reach")) node.remove();
    const targets = new Set(hold.targets());
    for (const piece of this.pieces()) this.markPiece(piece, hold);
    for (const pile of this.svg.querySelectorAll("g.pile")) this.markPile(pile, hold, targets);
  }

  /** What no move begins with can be taken hold of all the same, to be told why: it is not lit. */
  markPiece(piece, hold) {
    const spot = spotOf(piece);
    const [picked, source] = [hold.isPicked(spot), hold.isSource(spot)];
    piece.classList.toggle("picked", picked);
    piece.classList.toggle("source", source && !picked);
    if (!source && !picked && !(hold.moves.length && this.isLoose(spot))) return clear(piece);
    button(piece, this.words(spot));
    if (source || picked) piece.setAttribute("aria-pressed", String(picked));
    else piece.removeAttribute("aria-pressed");
  }

  /** Does this lie open, and not before somebody else? */
  isLoose(spot) {
    return Boolean(spot.sign && this.piles.get(spot.pile)?.own);
  }

  /** Where all of a pile is one place, its lit piece stands for each of it. */
  meant(node) {
    if (!this.piles.get(node.dataset.pile)?.whole || node.matches(".source, .picked, .target")) return node;
    return this.pieces().find((piece) => piece.dataset.pile === node.dataset.pile && piece.matches(".source, .picked")) ?? node;
  }

  /** The places that lie together as one. */
  kin(key) {
    return this.piles.get(key)?.middle ?? null;
  }

  // ---- what is carried ----

  /** Pieces in the hand lie above all others. */
  lift(nodes) {
    const over = document.createElementNS(SVG, "g");
    over.setAttribute("class", "carried");
    const out = this.svg.getScreenCTM().inverse();
    for (const node of nodes) {
      const copy = node.cloneNode(true);
      const { a, b, c, d, e, f } = out.multiply(node.getScreenCTM());
      clear(copy);
      copy.removeAttribute("data-pile");
      copy.style.translate = "none";
      copy.setAttribute("transform", `matrix(${a} ${b} ${c} ${d} ${e} ${f})`);
      over.append(copy);
      this.copies.set(node, copy);
      node.classList.add("lifted");
    }
    this.svg.append(over);
    this.over = over;
  }

  carry(x, y) {
    const scale = this.svg.getScreenCTM().a;
    this.over.setAttribute("transform", `translate(${x / scale} ${y / scale})`);
  }

  putDown() {
    this.over?.remove();
    for (const node of this.copies.keys()) node.classList.remove("lifted");
    [this.over, this.copies] = [null, new Map()];
  }

  markPile(pile, hold, targets) {
    const key = pile.dataset.pile;
    const [target, spot] = [targets.has(key), { pile: key }];
    const near = !hold.picked.length && (hold.near(key).length > 0 || this.isWhole(key, hold));
    pile.classList.toggle("target", target);
    if (target || near) pile.append(this.cover(pile, target ? "reach target" : "reach source", this.words(spot)));
  }

  /** Is a pile taken hold of as such, or a piece of it that is not drawn? */
  isWhole(key, hold) {
    return hold.moves.some((move) => (move.pick ?? []).some((pick) => pick.pile === key && this.isHidden(pick)));
  }

  isHidden(pick) {
    if (pick.at === undefined && pick.sign === undefined) return true;
    return !this.pieces().some((piece) => {
      const spot = spotOf(piece);
      return spot.pile === pick.pile && (pick.sign === undefined ? spot.at === pick.at : spot.sign === pick.sign);
    });
  }

  cover(pile, name, words) {
    const box = pile.getBBox();
    const rect = document.createElementNS(SVG, "rect");
    for (const [key, value] of Object.entries({ x: box.x, y: box.y, width: Math.max(box.width, 24), height: Math.max(box.height, 24), rx: 6 }))
      rect.setAttribute(key, value);
    rect.setAttribute("class", name);
    rect.dataset.pile = pile.dataset.pile;
    button(rect, words);
    return rect;
  }

  /** What is lit: what may be done. */
  lit() {
    const lit = this.buttons().filter((node) => node.matches(".source, .picked, .target"));
    return lit.length ? lit : this.buttons();
  }

  /** All that can be clicked, in the order of reading. */
  buttons() {
    return this.svg ? [...this.svg.querySelectorAll("[role=button]")] : [];
  }

  find(spot) {
    return this.buttons().find((node) => {
      const other = spotOf(node);
      return other.pile === spot.pile && (other.at === spot.at || (spot.sign && other.sign === spot.sign));
    });
  }
}

export function spotOf(node) {
  const { pile, at, sign } = node.dataset;
  if (at === undefined) return { pile };
  return sign ? { pile, at: Number(at), sign } : { pile, at: Number(at) };
}

function button(node, words) {
  node.setAttribute("role", "button");
  node.setAttribute("tabindex", "-1");
  node.setAttribute("aria-label", words);
}

function clear(node) {
  for (const name of ["role", "tabindex", "aria-label", "aria-pressed"]) node.removeAttribute(name);
}
