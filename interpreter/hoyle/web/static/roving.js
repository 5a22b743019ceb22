// From piece to piece by the arrow keys: one of them is reached by Tab, the others from there.

export class Roving {
  constructor(picture) {
    this.picture = picture;
    this.spot = null;
  }

  /** After the picture has changed: the same thing has the focus that had it. */
  renew(hadFocus) {
    const all = this.picture.buttons();
    const [had, lit] = [this.spot && this.picture.find(this.spot), this.picture.lit()];
    const here = lit.includes(had) ? had : (lit[0] ?? all[0]);
    if (!here) return;
    here.setAttribute("tabindex", "0");
    if (hadFocus) here.focus({ preventScroll: true });
  }

  focus(node, spot) {
    for (const other of this.picture.buttons()) other.setAttribute("tabindex", "-1");
    node.setAttribute("tabindex", "0");
    node.focus();
    this.spot = spot;
  }

  /** The nearest in a direction; round the corner to the next in order where there is none. Of what is lit, or of `every` piece. */
  next(key, every = false) {
    const here = this.picture.buttons().find((node) => node === document.activeElement);
    const all = every ? this.picture.buttons() : this.picture.lit();
    if (!here) return all[0];
    const from = middle(here);
    const [dx, dy] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
    const far = (node) => {
      const to = middle(node);
      const [x, y] = [to.x - from.x, to.y - from.y];
      const along = x * dx + y * dy;
      return along < 3 ? Infinity : along + 2.5 * Math.abs(x * dy - y * dx);
    };
    const near = all.filter((node) => node !== here).reduce((best, node) => (far(node) < far(best ?? here) ? node : best), null);
    if (near) return near;
    const step = dx + dy > 0 ? 1 : all.length - 1;
    return all[(all.indexOf(here) + step) % all.length];
  }
}

function middle(node) {
  const rect = node.getBoundingClientRect();
  return { x: rect.x + Math.min(rect.width / 2, 30), y: rect.y + rect.height / 2 };
}
