// Shows a hint in the picture: highlights what to pick up and draws an arrow to the target.

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 10;

export function showHint(picture, move) {
  hideHint(picture);
  if (!move) return;
  const left = new Set(picture.pieces());
  const taken = (move.pick ?? []).map((pick) => {
    const node = [...left].find((piece) => matchesPick(pick, piece)) ?? (pick.sign === undefined ? picture.pile(pick.pile) : null);
    left.delete(node);
    return node;
  });
  const lit = [...taken, move.near ? picture.pile(move.near) : null].filter(Boolean);
  for (const node of lit) node.classList.add("hinted");
  for (const node of document.querySelectorAll("#actions button")) node.classList.toggle("hinted", node.dataset.id === move.id);
  const to = move.to ? picture.pile(move.to) : null;
  if (to && lit.length && lit[0] !== to) picture.svg.append(drawArrow(picture, lit.at(-1), findTop(picture, to)));
}

export function hideHint(picture) {
  for (const node of picture.svg?.querySelectorAll(".hinted") ?? []) node.classList.remove("hinted");
  picture.svg?.querySelector(".arrow")?.remove();
}

function matchesPick(pick, node) {
  const { pile, at, sign } = node.dataset;
  return pile === pick.pile && (pick.sign !== undefined ? pick.sign === sign : pick.at !== undefined && String(pick.at) === at);
}

/** The topmost piece of a pile, or its empty place. */
const findTop = (picture, pile) => picture.pieces().filter((piece) => piece.dataset.pile === pile.dataset.pile).at(-1) ?? pile;

function drawArrow(picture, from, to) {
  const out = picture.svg.getScreenCTM().inverse();
  const [start, end] = [from, to].map((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return new DOMPoint(x + width / 2, y + height / 2).matrixTransform(out);
  });
  const far = Math.max(1, Math.hypot(end.x - start.x, end.y - start.y));
  const [dx, dy] = [(end.x - start.x) / far, (end.y - start.y) / far];
  const neck = { x: end.x - dx * MARGIN * 1.6, y: end.y - dy * MARGIN * 1.6 };
  const path = document.createElementNS(SVG, "path");
  const head = `M ${end.x} ${end.y} L ${neck.x - dy * MARGIN} ${neck.y + dx * MARGIN} L ${neck.x + dy * MARGIN} ${neck.y - dx * MARGIN} Z`;
  path.setAttribute("d", `M ${start.x} ${start.y} L ${neck.x} ${neck.y} ${head}`);
  path.setAttribute("class", "arrow");
  return path;
}
