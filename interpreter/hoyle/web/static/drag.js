// Dragging pieces with mouse, pen or finger. A press without movement is a click.

import { getSpot } from "./picture.js";

const CLICK_PIXELS = 6;
const LEAST_OVERLAP = 0.35;

export function enableDragging(place, game) {
  let drag = null;

  place.addEventListener("pointerdown", (event) => {
    const found = event.target.closest?.("[data-pile][role=button]") ?? event.target.closest?.("[data-pile]");
    if (!found || event.button !== 0 || drag) return;
    const node = game.picture.findHighlighted(found);
    drag = { node, spot: getSpot(node), x: event.clientX, y: event.clientY, moved: false, held: null, pointer: event.pointerId };
  });
  place.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(x, y) > CLICK_PIXELS) {
      drag.moved = true;
      if (canLift(drag.node, event) && game.grab(drag.spot)) {
        drag.held = game.listLifted(drag.spot);
        place.setPointerCapture(event.pointerId);
      }
    }
    if (drag.held) game.carry(drag.held, x, y);
  });
  const end = (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const { held, moved, spot } = drag;
    drag = null;
    if (held && event.type === "pointerup") game.drop(findPile(event, held, game));
    else if (held) game.drop(null);
    else if (!moved && event.type === "pointerup") game.tap(spot);
  };
  place.addEventListener("pointerup", end);
  place.addEventListener("pointercancel", end);
  // A finger scrolls the page unless it starts on a highlighted piece. Not all browsers respect `touch-action` inside SVG.
  place.addEventListener("touchstart", (event) => isLit(event.target) && event.cancelable && event.preventDefault(), { passive: false });
}

/** A finger canLift highlighted pieces only, so that it can scroll on the others. */
function canLift(node, event) {
  return node.getAttribute("role") === "button" && (event.pointerType !== "touch" || isLit(node));
}

function isLit(node) {
  const button = node.closest?.("[data-pile][role=button]");
  return Boolean(button?.matches(".source, .picked"));
}

/** The pile below the pointer; else the possible target that the dragged pieces overlap most. */
function findPile(event, held, game) {
  const below = document.elementsFromPoint(event.clientX, event.clientY).map((node) => node.closest?.("[data-pile]"));
  const found = below.find((node) => node && !held.includes(node));
  if (found) return found.dataset.pile;
  const own = game.carriedBox();
  const [best] = game.targetBoxes().map(({ key, box }) => ({ key, part: measureOverlap(own, box) })).sort((one, other) => other.part - one.part);
  return own && best?.part >= LEAST_OVERLAP ? best.key : null;
}

/** The overlap of two boxes, as a share of the smaller one. */
function measureOverlap(one, other) {
  if (!one) return 0;
  const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  const least = Math.min(one.width * one.height, other.width * other.height);
  return wide > 0 && high > 0 && least > 0 ? (wide * high) / least : 0;
}
