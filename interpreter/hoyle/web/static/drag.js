// Pieces dragged with a mouse, a pen or a finger. A press that goes nowhere is a click; one that went somewhere never is.

import { spotOf } from "./picture.js";

const FAR = 6;
const ENOUGH = 0.35;

export function dragging(place, game) {
  let drag = null;

  place.addEventListener("pointerdown", (event) => {
    const found = event.target.closest?.("[data-pile][role=button]") ?? event.target.closest?.("[data-pile]");
    if (!found || event.button !== 0 || drag) return;
    const node = game.picture.meant(found);
    drag = { node, spot: spotOf(node), x: event.clientX, y: event.clientY, moved: false, held: null, pointer: event.pointerId };
  });
  place.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(x, y) > FAR) {
      drag.moved = true;
      if (lifts(drag.node, event) && game.grab(drag.spot)) {
        drag.held = game.lifted(drag.spot);
        place.setPointerCapture(event.pointerId);
      }
    }
    if (drag.held) game.carry(drag.held, x, y);
  });
  const end = (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const { held, moved, spot } = drag;
    drag = null;
    if (held && event.type === "pointerup") game.fall(pileAt(event, held, game));
    else if (held) game.fall(null);
    else if (!moved && event.type === "pointerup") game.tap(spot);
  };
  place.addEventListener("pointerup", end);
  place.addEventListener("pointercancel", end);
  // A finger that goes over the page scrolls it, except on what can be dragged: `touch-action` is not heeded inside of pictures everywhere.
  place.addEventListener("touchstart", (event) => isLit(event.target) && event.cancelable && event.preventDefault(), { passive: false });
}

/** A finger takes only what may be moved, so that it can scroll by the rest. */
function lifts(node, event) {
  return node.getAttribute("role") === "button" && (event.pointerType !== "touch" || isLit(node));
}

function isLit(node) {
  const button = node.closest?.("[data-pile][role=button]");
  return Boolean(button?.matches(".source, .picked"));
}

/** The pile below the pointer; beside all piles the one that could be meant and that what is held covers most of. */
function pileAt(event, held, game) {
  const below = document.elementsFromPoint(event.clientX, event.clientY).map((node) => node.closest?.("[data-pile]"));
  const found = below.find((node) => node && !held.includes(node));
  if (found) return found.dataset.pile;
  const own = game.carriedBox();
  const [best] = game.targetBoxes().map(({ key, box }) => ({ key, part: shared(own, box) })).sort((one, other) => other.part - one.part);
  return own && best?.part >= ENOUGH ? best.key : null;
}

/** How much of the smaller of two lies on the other. */
function shared(one, other) {
  if (!one) return 0;
  const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  const least = Math.min(one.width * one.height, other.width * other.height);
  return wide > 0 && high > 0 && least > 0 ? (wide * high) / least : 0;
}
