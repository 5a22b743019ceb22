// Tabs: the buttons of a tab list and the panels that they control, with arrow keys.

import { $$ } from "../dom.js";

export class Tabs {
  /** `opened(name)` is called whenever a panel is opened, with its id without "panel-". */
  constructor(list, opened = () => undefined) {
    this.list = list;
    this.opened = opened;
    this.buttons = $$("[role=tab]", list);
    for (const button of this.buttons) button.addEventListener("click", () => this.open(getName(button)));
    list.addEventListener("keydown", (event) => this.moveFocus(event));
    this.show(getName(this.buttons[0]));
  }

  get current() {
    return getName(this.buttons.find((button) => button.ariaSelected === "true"));
  }

  open(name) {
    this.show(name);
    this.opened(name);
  }

  show(name) {
    for (const button of this.buttons) {
      const isOpen = getName(button) === name;
      button.ariaSelected = String(isOpen);
      button.tabIndex = isOpen ? 0 : -1;
      document.getElementById(button.getAttribute("aria-controls")).hidden = !isOpen;
    }
  }

  moveFocus(event) {
    const at = this.buttons.indexOf(event.target);
    const last = this.buttons.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    this.buttons[to].focus();
    this.open(getName(this.buttons[to]));
  }
}

const getName = (button) => button.getAttribute("aria-controls").replace("panel-", "");
