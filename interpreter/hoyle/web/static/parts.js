// What the server has sent already: parts of pictures, and words for piles. Both ends number them alike; a number stands for what was sent.

class Known {
  constructor() {
    this.parts = [];
  }

  /** Numbers become what they stand for, and what is new gets the next one; null: all before is forgotten. */
  whole(packed) {
    const found = [];
    for (const one of packed) {
      if (one === null) this.parts = [];
      else if (typeof one === "number") found.push(this.parts[one]);
      else {
        this.parts.push(one);
        found.push(one);
      }
    }
    return found;
  }
}

/** Of one line to the server: one that is opened anew knows nothing. */
export class Parts {
  constructor() {
    this.svg = new Known();
    this.piles = new Known();
  }

  read(message) {
    if (message.t !== "table") return message;
    return { ...message, svg: this.svg.whole(message.svg).join(""), piles: this.piles.whole(message.piles) };
  }
}
