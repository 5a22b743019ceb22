// What was moved last: the pieces that lie elsewhere now, and the places that they came from. It is seen from the table before and the table now, and so
// tells nobody more than was shown. Where the table is laid out anew meanwhile, a place is marked where its pile lies now, or not at all.

const SVG = "http://www.w3.org/2000/svg";
const KEY = "hoyle.trace";
const MOST = 16;
const WAYS = 2;
const SAME = 0.12;
/** What has moved by less than this has not moved. */
const STILL = 3;

export class Trace {
  constructor(token) {
    this.token = token;
    this.found = null;
    this.before = null;
  }

  /** Before the picture is drawn anew: where everything lay. */
  leave(picture) {
    if (picture.svg && this.before) this.before.rects = rects(picture);
  }

  /** After that: what has changed is marked. The same table in other words or colours keeps its marks. */
  mark(picture, message) {
    const known = this.before ?? this.kept(message.n);
    if (!this.before && known) this.found = known;
    else if (this.before && this.before.n !== message.n) this.found = moved(this.before, message);
    this.before = { n: message.n, piles: message.piles, rects: this.before?.rects ?? new Map() };
    sessionStorage.setItem(KEY, JSON.stringify({ ...this.found, token: this.token, n: message.n, width: picture.svg.viewBox.baseVal.width }));
    if (this.found) this.draw(picture);
  }

  kept(n) {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    return kept?.to && kept.token === this.token && kept.n === n ? kept : null;
  }

  draw(picture) {
    for (const { pile, at } of this.found.to) {
      const node = picture.pieces().find((piece) => piece.dataset.pile === pile && Number(piece.dataset.at) === at);
      if (node) node.append(box(node.getBBox(), "last"));
    }
    const { width } = picture.svg.viewBox.baseVal;
    for (const { pile, rect } of this.found.from) {
      const node = picture.pile(pile);
      const there = node && rect?.of === width ? now(picture, node, rect) : null;
      if (there && !covered(picture, node, there)) node.before(box(within(node.parentNode, picture.svg, there), "last left"));
    }
  }
}

/** From one table to the next. Where very much moves at once, all was dealt anew. */
function moved(before, message) {
  const old = new Map(before.piles.map((pile) => [pile.key, pile]));
  const changes = message.piles.map((pile) => change(old.get(pile.key), pile));
  const lost = new Set(changes.flatMap((one) => one.lost));
  const to = changes.flatMap((one) => come(one, lost));
  const from = changes.filter((one) => one.grown < 0);
  if (!to.length || to.length > MOST) return null;
  return { to, from: from.length > WAYS ? [] : from.map((one) => ({ pile: one.pile, rect: one.places.map((at) => before.rects.get(`${one.pile}#${at}`)).find(Boolean) })) };
}

/** What came from elsewhere; where more has changed than came, or several things and none more lies there, it was only turned or thrown. */
function come({ gained, grown }, lost) {
  if (grown <= 0 && gained.length > 1) return [];
  const known = gained.filter(({ sign }) => sign && lost.has(sign));
  return known.length ? known : gained.length <= grown ? gained : [];
}

function change(old, pile) {
  const grown = pile.count - (old?.count ?? 0);
  const [was, is] = [signs(old), signs(pile)];
  const gained = without(is, was).map(([sign, at]) => ({ pile: pile.key, at, sign }));
  const gone = without(was, is);
  const places = gone.length ? gone.map(([, at]) => at) : [(old?.pieces.length ?? 0) - 1];
  return { pile: pile.key, grown, gained: gained.filter(({ sign }) => sign || grown > 0), lost: gone.map(([sign]) => sign).filter(Boolean), places };
}

const signs = (pile) => (pile?.pieces ?? []).map((piece, at) => [piece?.[0] ?? "", at]);

/** Those of a list that another has not, as often as that; from the top. */
function without(list, other) {
  const left = new Map();
  for (const [sign] of other) left.set(sign, (left.get(sign) ?? 0) + 1);
  return list.filter(([sign]) => {
    const count = left.get(sign) ?? 0;
    left.set(sign, count - 1);
    return count <= 0;
  });
}

/** Where each piece lies, in the measure of the picture. */
function rects(picture) {
  const frame = picture.svg.getBoundingClientRect();
  const scale = picture.svg.getScreenCTM().a;
  const of = picture.svg.viewBox.baseVal.width;
  const homes = new Map([...picture.svg.querySelectorAll("g.pile")].map((pile) => [pile.dataset.pile, home(picture, pile)]));
  return new Map(
    picture.pieces().map((piece) => {
      const { x, y, width, height } = piece.getBoundingClientRect();
      const { pile, at } = piece.dataset;
      const rect = { of, x: (x - frame.x) / scale, y: (y - frame.y) / scale, width: width / scale, height: height / scale };
      return [`${pile}#${at}`, { ...rect, home: homes.get(pile) }];
    }),
  );
}

/** Where a pile lies: its beginning, its middle and its end, from left to right and from above. As it grows, one of them stays. */
function home(picture, pile) {
  const frame = picture.svg.getBoundingClientRect();
  const scale = picture.svg.getScreenCTM().a;
  const [{ e, f }, box] = [pile.getScreenCTM(), pile.getBoundingClientRect()];
  const along = (begin, from, size, edge) => [begin, from + size / 2, from + size].map((one) => (one - edge) / scale);
  return { x: along(e, box.x, box.width, frame.x), y: along(f, box.y, box.height, frame.y) };
}

/** Where that place is now: what has been emptied is marked as it is drawn; null where its pile lies otherwise or its pieces have another size. */
function now(picture, pile, rect) {
  const is = home(picture, pile);
  if (!rect.home) return null;
  const [x, y] = ["x", "y"].map((way) => least(is[way].map((one, at) => one - rect.home[way][at])));
  const piece = pile.querySelector("g.piece");
  if (!piece) return outline(picture, pile);
  return !x && !y && isAsWide(picture, piece, rect) ? rect : null;
}

function isAsWide(picture, piece, rect) {
  const wide = piece.getBoundingClientRect().width / picture.svg.getScreenCTM().a;
  return Math.abs(wide - rect.width) < STILL;
}

/** An empty pile as it is drawn; null if it is not. */
function outline(picture, pile) {
  const { width, height } = pile.getBoundingClientRect();
  const scale = picture.svg.getScreenCTM().a;
  const { x, y } = home(picture, pile);
  return width && height ? { x: x[2] - width / scale, y: y[2] - height / scale, width: width / scale, height: height / scale } : null;
}

function least(ways) {
  const found = ways.reduce((best, one) => (Math.abs(one) < Math.abs(best) ? one : best));
  return Math.abs(found) < STILL ? 0 : found;
}

/** Does another piece of the pile lie there now? */
function covered(picture, pile, rect) {
  const now = [...rects(picture)].filter(([key]) => key.startsWith(`${pile.dataset.pile}#`));
  return now.some(([, one]) => Math.abs(one.x - rect.x) < rect.width * SAME && Math.abs(one.y - rect.y) < rect.height * SAME);
}

function within(parent, svg, rect) {
  const { a, e, f } = svg.getScreenCTM().inverse().multiply(parent.getScreenCTM());
  return { x: (rect.x - e) / a, y: (rect.y - f) / a, width: rect.width / a, height: rect.height / a };
}

function box({ x, y, width, height }, name) {
  const rect = document.createElementNS(SVG, "rect");
  for (const [key, value] of Object.entries({ x, y, width, height, rx: Math.min(width, height) * 0.07 })) rect.setAttribute(key, value);
  rect.setAttribute("class", name);
  return rect;
}
