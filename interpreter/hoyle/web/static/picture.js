// The picture of the table: shows the server's SVG, highlights what can be done, and animates pieces from their old place.

import { parseSvg } from "./dom.js";
import { isEmbedded } from "./embedding.js";
import { isNarrow } from "./layout.js";
import { t } from "./translation.js";

const SVG = "http://www.w3.org/2000/svg";
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const MOVE_MILLISECONDS = 260;
const MARGIN_BELOW = 70;
/** Approximate height of everything above and below the table. */
const [BARS, NARROW_BARS, EMBEDDED_BARS] = [160, 260, 150];
const READABLE = isEmbedded ? 0.65 : 0.9;
/** A picture that is lower by this factor shows another part of the game. */
const OTHER_PART = 0.8;

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

  /** The room for the picture, in steps, so that small changes do not redraw it. */
  measureRoom() {
    const step = (pixels, most) => 20 * Math.round(Math.min(pixels, most) / 20);
    return { width: step(this.place.clientWidth || innerWidth, 1200), height: step(innerHeight - (isEmbedded ? EMBEDDED_BARS : isNarrow() ? NARROW_BARS : BARS), 2000) };
  }

  pieces() {
    return this.svg ? [...this.svg.querySelectorAll("g.piece:not(.carried *)")] : [];
  }

  pile(key) {
    return this.svg?.querySelector(`g.pile[data-pile="${CSS.escape(key)}"]`) ?? null;
  }

  /** Show a table and animate the pieces that moved. */
  show(message, quick) {
    const before = this.svg && !quick && !reducedMotion.matches ? this.measurePlaces() : null;
    const svg = parseSvg(message.svg);
    this.place.replaceChildren(svg);
    this.svg = svg;
    [this.over, this.copies] = [null, new Map()];
    this.fit();
    this.piles = new Map(message.piles.map((pile) => [pile.key, pile]));
    return before ? this.animateMoves(before) : Promise.resolve();
  }

  /** Fit the picture to the width, or to the height of the window as long as small print stays readable.
   * Keep the greatest height so far, so that nothing jumps when a column grows and shrinks. */
  fit() {
    if (!this.svg) return;
    const { width, height } = this.svg.viewBox.baseVal;
    if (width !== this.wide || height < OTHER_PART * this.tallest) [this.wide, this.tallest] = [width, 0];
    this.tallest = Math.max(this.tallest, height);
    const most = this.place.clientWidth / width;
    const high = (innerHeight - this.place.getBoundingClientRect().top - scrollY - MARGIN_BELOW) / this.tallest;
    const scale = isNarrow() && !isEmbedded ? most : Math.min(most, Math.max(high, READABLE));
    this.svg.style.width = `${width * scale}px`;
    this.place.style.minHeight = `${this.tallest * scale}px`;
  }

  /** The places of pieces by pile and height and by sign, and the size of each pile. */
  measurePlaces() {
    const found = { at: new Map(), sign: new Map(), pile: new Map(), count: new Map() };
    for (const piece of this.pieces()) {
      const rect = (this.copies.get(piece) ?? piece).getBoundingClientRect(); // a dropped piece starts where it was dropped
      const { pile, at, sign } = piece.dataset;
      found.at.set(`${pile}#${at}#${sign ?? ""}`, rect);
      if (sign) found.sign.set(sign, [...(found.sign.get(sign) ?? []), { pile, rect }]);
    }
    for (const pile of this.svg.querySelectorAll("g.pile")) found.pile.set(pile.dataset.pile, pile.getBoundingClientRect());
    for (const [key, pile] of this.piles) found.count.set(key, pile.count);
    return found;
  }

  animateMoves(before) {
    const fewer = [...this.piles.values()].find((pile) => (before.count.get(pile.key) ?? 0) > pile.count);
    const moved = this.pieces().map((piece) => {
      const from = this.findOrigin(piece, before, fewer?.key);
      return from ? this.slide(piece, from) : null;
    });
    return Promise.all(moved.filter(Boolean).map((one) => one.finished.catch(() => undefined)));
  }

  /** The old place of a piece: of one with its sign, preferably in this pile; else the pile that lost a piece. */
  findOrigin(piece, before, fewer) {
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
    return piece.animate(ways, { duration: MOVE_MILLISECONDS, easing: "ease-out" });
  }

  // ---- highlights ----

  describe(spot) {
    const pile = this.piles.get(spot.pile);
    const piece = spot.at === undefined ? undefined : pile?.pieces[spot.at];
    if (spot.at === undefined) return t("pile", { pile: pile?.words ?? spot.pile, count: pile?.count ?? 0 });
    return t("in_pile", { piece: piece ? piece[2] || piece[1] : t("back"), pile: pile?.words ?? spot.pile });
  }

  /** Highlight what can be selected, the selection, and its targets. */
  mark(selection) {
    for (const node of this.svg.querySelectorAll(".reach")) node.remove();
    const targets = new Set(selection.listTargets());
    for (const piece of this.pieces()) this.markPiece(piece, selection);
    for (const pile of this.svg.querySelectorAll("g.pile")) this.markPile(pile, selection, targets);
  }

  /** A piece without a move can be selected too, to be told why. It is not highlighted. */
  markPiece(piece, selection) {
    const spot = getSpot(piece);
    const [picked, source] = [selection.isPicked(spot), selection.isSource(spot)];
    piece.classList.toggle("picked", picked);
    piece.classList.toggle("source", source && !picked);
    if (!source && !picked && !(selection.moves.length && this.isLoose(spot))) return clear(piece);
    button(piece, this.describe(spot));
    if (source || picked) piece.setAttribute("aria-pressed", String(picked));
    else piece.removeAttribute("aria-pressed");
  }

  /** True if a piece is face up and not in front of another seat. */
  isLoose(spot) {
    return Boolean(spot.sign && this.piles.get(spot.pile)?.own);
  }

  /** In a pile that is one place, the highlighted piece stands for all of it. */
  findHighlighted(node) {
    if (!this.piles.get(node.dataset.pile)?.whole || node.matches(".source, .picked, .target")) return node;
    return this.pieces().find((piece) => piece.dataset.pile === node.dataset.pile && piece.matches(".source, .picked")) ?? node;
  }

  /** The group of piles that count as one place. */
  groupOf(key) {
    return this.piles.get(key)?.middle ?? null;
  }

  // ---- dragged pieces ----

  /** Lift dragged pieces above all others. */
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

  markPile(pile, selection, targets) {
    const key = pile.dataset.pile;
    const [target, spot] = [targets.has(key), { pile: key }];
    const near = !selection.picked.length && (selection.findNear(key).length > 0 || this.isWhole(key, selection));
    pile.classList.toggle("target", target);
    if (target || near) pile.append(this.addCover(pile, target ? "reach target" : "reach source", this.describe(spot)));
  }

  /** True if a pile is picked up as a whole, or by a piece that is not drawn. */
  isWhole(key, selection) {
    return selection.moves.some((move) => (move.pick ?? []).some((pick) => pick.pile === key && this.isHidden(pick)));
  }

  isHidden(pick) {
    if (pick.at === undefined && pick.sign === undefined) return true;
    return !this.pieces().some((piece) => {
      const spot = getSpot(piece);
      return spot.pile === pick.pile && (pick.sign === undefined ? spot.at === pick.at : spot.sign === pick.sign);
    });
  }

  addCover(pile, name, words) {
    const box = pile.getBBox();
    const rect = document.createElementNS(SVG, "rect");
    for (const [key, value] of Object.entries({ x: box.x, y: box.y, width: Math.max(box.width, 24), height: Math.max(box.height, 24), rx: 6 }))
      rect.setAttribute(key, value);
    rect.setAttribute("class", name);
    rect.dataset.pile = pile.dataset.pile;
    button(rect, words);
    return rect;
  }

  /** The highlighted buttons; all buttons if there are none. */
  listHighlighted() {
    const lit = this.listButtons().filter((node) => node.matches(".source, .picked, .target"));
    return lit.length ? lit : this.listButtons();
  }

  /** Everything that can be clicked, in reading order. */
  listButtons() {
    return this.svg ? [...this.svg.querySelectorAll("[role=button]")] : [];
  }

  find(spot) {
    return this.listButtons().find((node) => {
      const other = getSpot(node);
      return other.pile === spot.pile && (other.at === spot.at || (spot.sign && other.sign === spot.sign));
    });
  }
}

export function getSpot(node) {
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
