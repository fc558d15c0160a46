import type { EmbedConfig } from "../domain/embed.ts";
import type { Events } from "./loader/events.ts";
import type { WidgetOptions } from "./loader/options.ts";

/** What the loader hands to the panel chunk. */
export interface Shell extends Events {
  readonly config: EmbedConfig;
  readonly options: WidgetOptions;
  /** Inside the shadow root; the panel draws in it. */
  readonly root: HTMLElement;
  readonly close: () => void;
  readonly isOpen: () => boolean;
  readonly showUnread: (count: number) => void;
}

/** What the loader may ask of a mounted panel. */
export interface PanelHandle {
  readonly focus: () => void;
  readonly send: (text: string) => void;
  readonly reset: () => void;
  readonly destroy: () => void;
}

/** The panel chunk: an ES module with this export. */
export interface PanelModule {
  readonly mountPanel: (shell: Shell) => Promise<PanelHandle>;
}
