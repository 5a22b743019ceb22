// Pieces dragged with a mouse, a pen or a finger. A press that goes nowhere is a click.

import { spotOf } from "./picture.js";

const FAR = 6;

export function dragging(place, game) {
  let drag = null;
  const nodeAt = (event) => document.elementsFromPoint(event.clientX, event.clientY);
  const pileAt = (event) => nodeAt(event).map((node) => node.closest?.("[data-pile]")).find((node) => node && !drag?.node.contains(node));

  place.addEventListener("pointerdown", (event) => {
    const node = event.target.closest?.("[data-pile][role=button]") ?? event.target.closest?.("[data-pile]");
    if (!node || event.button !== 0) return;
    drag = { node, spot: spotOf(node), x: event.clientX, y: event.clientY, far: false, pointer: event.pointerId };
  });
  place.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.far && Math.hypot(x, y) > FAR && drag.node.getAttribute("role") === "button" && game.grab(drag.spot)) {
      drag.far = true;
      drag.moved = game.lifted(drag.spot);
      place.setPointerCapture(event.pointerId);
    }
    if (drag.far) game.carry(drag.moved, x, y);
  });
  const end = (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    const over = drag.far ? pileAt(event) : null;
    if (drag.far) game.fall(drag.moved, over?.dataset.pile ?? null);
    else if (event.type === "pointerup") game.press(drag.spot);
    drag = null;
  };
  place.addEventListener("pointerup", end);
  place.addEventListener("pointercancel", end);
}
