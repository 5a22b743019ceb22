// Marks the last move: the pieces that moved and the places they left. It compares what this seat was shown before and after,
// so it reveals nothing. If the layout has changed meanwhile, it marks the place of the pile now, or nothing.

const SVG = "http://www.w3.org/2000/svg";
const KEY = "hoyle.lastMove";
const MOST = 16;
const MOST_LEFT = 2;
const SAME_PLACE = 0.12;
/** Pixels: smaller shifts are ignored. */
const STILL = 3;

export class LastMove {
  constructor(token) {
    this.token = token;
    this.found = null;
    this.before = null;
  }

  /** Measure where everything lies before the picture is replaced. */
  notePlaces(picture) {
    if (picture.svg && this.before) this.before.rects = measurePieces(picture);
  }

  /** Mark what has changed. The same table in another language or other colours keeps its marks. */
  mark(picture, message) {
    const known = this.before ?? this.restore(message.n);
    if (!this.before && known) this.found = known;
    else if (this.before && this.before.n !== message.n) this.found = compareTables(this.before, message);
    this.before = { n: message.n, piles: message.piles, rects: this.before?.rects ?? new Map() };
    sessionStorage.setItem(KEY, JSON.stringify({ ...this.found, token: this.token, n: message.n, width: picture.svg.viewBox.baseVal.width }));
    if (this.found) this.draw(picture);
  }

  restore(n) {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    return kept?.to && kept.token === this.token && kept.n === n ? kept : null;
  }

  draw(picture) {
    for (const { pile, at } of this.found.to) {
      const node = picture.pieces().find((piece) => piece.dataset.pile === pile && Number(piece.dataset.at) === at);
      if (node) node.append(drawBox(node.getBBox(), "last"));
    }
    const { width } = picture.svg.viewBox.baseVal;
    for (const { pile, rect } of this.found.from) {
      const node = picture.pile(pile);
      const there = node && rect?.of === width ? findPlace(picture, node, rect) : null;
      if (there && !isCovered(picture, node, there)) node.before(drawBox(toLocal(node.parentNode, picture.svg, there), "last left"));
    }
  }
}

/** Compare two tables. If very many pieces moved, it was a new deal: mark nothing. */
function compareTables(before, message) {
  const old = new Map(before.piles.map((pile) => [pile.key, pile]));
  const changes = message.piles.map((pile) => comparePile(old.get(pile.key), pile));
  const lost = new Set(changes.flatMap((one) => one.lost));
  const to = changes.flatMap((one) => listArrived(one, lost));
  const from = changes.filter((one) => one.grown < 0);
  if (!to.length || to.length > MOST) return null;
  return { to, from: from.length > MOST_LEFT ? [] : from.map((one) => ({ pile: one.pile, rect: one.places.map((at) => before.rects.get(`${one.pile}#${at}`)).find(Boolean) })) };
}

/** The pieces that came from elsewhere. If more changed than came, pieces were only turned or shuffled. */
function listArrived({ gained, grown }, lost) {
  if (grown <= 0 && gained.length > 1) return [];
  const known = gained.filter(({ sign }) => sign && lost.has(sign));
  return known.length ? known : gained.length <= grown ? gained : [];
}

function comparePile(old, pile) {
  const grown = pile.count - (old?.count ?? 0);
  const [was, is] = [listSigns(old), listSigns(pile)];
  const gained = subtract(is, was).map(([sign, at]) => ({ pile: pile.key, at, sign }));
  const gone = subtract(was, is);
  const places = gone.length ? gone.map(([, at]) => at) : [(old?.pieces.length ?? 0) - 1];
  return { pile: pile.key, grown, gained: gained.filter(({ sign }) => sign || grown > 0), lost: gone.map(([sign]) => sign).filter(Boolean), places };
}

const listSigns = (pile) => (pile?.pieces ?? []).map((piece, at) => [piece?.[0] ?? "", at]);

/** Entries of a list that another list lacks, counting duplicates. */
function subtract(list, other) {
  const left = new Map();
  for (const [sign] of other) left.set(sign, (left.get(sign) ?? 0) + 1);
  return list.filter(([sign]) => {
    const count = left.get(sign) ?? 0;
    left.set(sign, count - 1);
    return count <= 0;
  });
}

/** The place of each piece, in units of the picture. */
function measurePieces(picture) {
  const frame = picture.svg.getBoundingClientRect();
  const scale = picture.svg.getScreenCTM().a;
  const of = picture.svg.viewBox.baseVal.width;
  const homes = new Map([...picture.svg.querySelectorAll("g.pile")].map((pile) => [pile.dataset.pile, measurePile(picture, pile)]));
  return new Map(
    picture.pieces().map((piece) => {
      const { x, y, width, height } = piece.getBoundingClientRect();
      const { pile, at } = piece.dataset;
      const rect = { of, x: (x - frame.x) / scale, y: (y - frame.y) / scale, width: width / scale, height: height / scale };
      return [`${pile}#${at}`, { ...rect, home: homes.get(pile) }];
    }),
  );
}

/** The start, middle and end of a pile in both directions. When the pile grows, one of them stays. */
function measurePile(picture, pile) {
  const frame = picture.svg.getBoundingClientRect();
  const scale = picture.svg.getScreenCTM().a;
  const [{ e, f }, box] = [pile.getScreenCTM(), pile.getBoundingClientRect()];
  const along = (begin, from, size, edge) => [begin, from + size / 2, from + size].map((one) => (one - edge) / scale);
  return { x: along(e, box.x, box.width, frame.x), y: along(f, box.y, box.height, frame.y) };
}

/** Find where a place is now: an empty pile as it is drawn; null if its pile has moved or its pieces have another size. */
function findPlace(picture, pile, rect) {
  const is = measurePile(picture, pile);
  if (!rect.home) return null;
  const [x, y] = ["x", "y"].map((way) => findLeast(is[way].map((one, at) => one - rect.home[way][at])));
  const piece = pile.querySelector("g.piece");
  if (!piece) return measureEmptyPile(picture, pile);
  return !x && !y && hasSameWidth(picture, piece, rect) ? rect : null;
}

function hasSameWidth(picture, piece, rect) {
  const wide = piece.getBoundingClientRect().width / picture.svg.getScreenCTM().a;
  return Math.abs(wide - rect.width) < STILL;
}

/** The outline of an empty pile; null if it is not drawn. */
function measureEmptyPile(picture, pile) {
  const { width, height } = pile.getBoundingClientRect();
  const scale = picture.svg.getScreenCTM().a;
  const { x, y } = measurePile(picture, pile);
  return width && height ? { x: x[2] - width / scale, y: y[2] - height / scale, width: width / scale, height: height / scale } : null;
}

function findLeast(ways) {
  const found = ways.reduce((best, one) => (Math.abs(one) < Math.abs(best) ? one : best));
  return Math.abs(found) < STILL ? 0 : found;
}

/** True if another piece of the pile lies there now. */
function isCovered(picture, pile, rect) {
  const now = [...measurePieces(picture)].filter(([key]) => key.startsWith(`${pile.dataset.pile}#`));
  return now.some(([, one]) => Math.abs(one.x - rect.x) < rect.width * SAME_PLACE && Math.abs(one.y - rect.y) < rect.height * SAME_PLACE);
}

function toLocal(parent, svg, rect) {
  const { a, e, f } = svg.getScreenCTM().inverse().multiply(parent.getScreenCTM());
  return { x: (rect.x - e) / a, y: (rect.y - f) / a, width: rect.width / a, height: rect.height / a };
}

function drawBox({ x, y, width, height }, name) {
  const rect = document.createElementNS(SVG, "rect");
  for (const [key, value] of Object.entries({ x, y, width, height, rx: Math.min(width, height) * 0.07 })) rect.setAttribute(key, value);
  rect.setAttribute("class", name);
  return rect;
}
