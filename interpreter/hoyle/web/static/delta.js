// Decodes tables: numbers stand for parts of pictures and piles that were sent before. Both ends number new parts alike.

class KnownParts {
  constructor() {
    this.parts = [];
  }

  /** Replace numbers by known parts, and number new parts. null: removeTable all parts. */
  decode(packed) {
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

/** One decoder for each connection, since a new connection knows no parts. */
export class DeltaDecoder {
  constructor() {
    this.svg = new KnownParts();
    this.piles = new KnownParts();
  }

  decodeMessage(message) {
    if (message.t !== "table") return message;
    return { ...message, svg: this.svg.decode(message.svg).join(""), piles: this.piles.decode(message.piles) };
  }
}
