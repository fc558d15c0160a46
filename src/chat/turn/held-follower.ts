import type { TurnFollower, TurnOpening } from "../message.ts";

/** Tells a follower about a turn, and nothing of it before the message is on disk. */
export class HeldFollower implements TurnFollower {
  readonly #follower: TurnFollower;
  #held: ((follower: TurnFollower) => void)[] | undefined = [];

  constructor(follower: TurnFollower) {
    this.#follower = follower;
  }

  decided(opening: TurnOpening): void {
    this.#tell((follower) => follower.decided(opening));
  }

  said(text: string): void {
    this.#tell((follower) => follower.said(text));
  }

  /** The message is on disk: what was held is told now, and the rest as it comes. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const tell of held) tell(this.#follower);
  }

  #tell(tell: (follower: TurnFollower) => void): void {
    if (this.#held) this.#held.push(tell);
    else tell(this.#follower);
  }
}
