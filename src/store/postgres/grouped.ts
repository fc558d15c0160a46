interface Pending<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface GroupedOptions<Item, Result> {
  /** Processes a group. @returns a result for each item, in order. */
  run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Groups that run at the same time; while they run, the next group forms. */
  lanes: number;
  /** Errors after which each item of the group is tried alone. */
  isOfOneItem: (error: unknown) => boolean;
}

/** Maximum size of a group: larger statements were slower, and their transactions wait for each other. */
const MAX_IN_GROUP = 256;

/** Collects items that arrive while others run into one statement, so that many messages share a round trip and a commit. */
export class Grouped<Item, Result> {
  readonly #options: GroupedOptions<Item, Result>;
  #pending: Pending<Item, Result>[] = [];
  #running = 0;

  constructor(options: GroupedOptions<Item, Result>) {
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ item, resolve, reject });
      if (this.#running < this.#options.lanes) void this.#drain();
    });
  }

  /** Resolves once every item added so far is done. */
  async idle(): Promise<void> {
    while (this.#running > 0 || this.#pending.length > 0) await Bun.sleep(1);
  }

  async #drain(): Promise<void> {
    this.#running += 1;
    while (this.#pending.length > 0) {
      // Lets every request that is already waiting in the event loop join the group.
      await new Promise((resolve) => setImmediate(resolve));
      const group = this.#pending.splice(0, MAX_IN_GROUP);
      if (group.length > 0) await this.#runGroup(group);
    }
    this.#running -= 1;
  }

  /** One faulty item must not fail the others of its group: each is then tried alone. */
  async #runGroup(group: readonly Pending<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.run(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index]!);
    } catch (error) {
      if (group.length > 1 && this.#options.isOfOneItem(error)) {
        for (const one of group) await this.#runGroup([one]);
      } else {
        for (const { reject } of group) reject(error);
      }
    }
  }
}
