// Arrow keys move between pieces. One piece is in the tab order (roving tabindex).

export class Roving {
  constructor(picture) {
    this.picture = picture;
    this.spot = null;
  }

  /** After the picture has changed, restore the focus to the same piece. */
  update(hadFocus) {
    const all = this.picture.listButtons();
    const [had, lit] = [this.spot && this.picture.find(this.spot), this.picture.listHighlighted()];
    const here = lit.includes(had) ? had : (lit[0] ?? all[0]);
    if (!here) return;
    here.setAttribute("tabindex", "0");
    if (hadFocus) here.focus({ preventScroll: true });
  }

  focus(node, spot) {
    for (const other of this.picture.listButtons()) other.setAttribute("tabindex", "-1");
    node.setAttribute("tabindex", "0");
    node.focus();
    this.spot = spot;
  }

  /** The nearest button in a direction, else the next in order: among highlighted ones, or `every` button. */
  findNext(key, every = false) {
    const here = this.picture.listButtons().find((node) => node === document.activeElement);
    const all = every ? this.picture.listButtons() : this.picture.listHighlighted();
    if (!here) return all[0];
    const from = findCenter(here);
    const [dx, dy] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
    const far = (node) => {
      const to = findCenter(node);
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

function findCenter(node) {
  const rect = node.getBoundingClientRect();
  return { x: rect.x + Math.min(rect.width / 2, 30), y: rect.y + rect.height / 2 };
}
