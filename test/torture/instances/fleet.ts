import type { ServingExecutable } from "../../support/executable.ts";
import type { TortureFolder } from "../folder.ts";
import { kill, serve } from "../server.ts";

interface FleetOptions {
  folder: TortureFolder;
  instances: number;
  modelUrl: string;
}

/** Instances on one store. A killed one is started anew, under another address. */
export class Fleet implements AsyncDisposable {
  readonly #options: FleetOptions;
  readonly #running: ServingExecutable[];

  private constructor(options: FleetOptions, running: ServingExecutable[]) {
    this.#options = options;
    this.#running = running;
  }

  static async start(options: FleetOptions): Promise<Fleet> {
    const starting = Array.from({ length: options.instances }, () => serve(options.folder, options));
    return new Fleet(options, await Promise.all(starting));
  }

  get size(): number {
    return this.#running.length;
  }

  /** Where the instance at this place answers, or answered before it was killed. */
  urlOf(place: number): string {
    return this.#running[place]!.url;
  }

  /** kill -9; then, as a supervisor does, a start. */
  async replace(place: number): Promise<void> {
    await kill(this.#running[place]!);
    this.#running[place] = await serve(this.#options.folder, this.#options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.map((server) => server[Symbol.asyncDispose]()));
  }
}
