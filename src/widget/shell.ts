import type { EmbedConfig } from "../domain/embed.ts";
import type { Events } from "./loader/events.ts";
import type { WidgetOptions } from "./loader/options.ts";

/** Interface of the loader for the panel chunk. */
export interface Shell extends Events {
  readonly config: EmbedConfig;
  readonly options: WidgetOptions;
  /** Element in the shadow root into which the panel draws. */
  readonly root: HTMLElement;
  readonly close: () => void;
  readonly isOpen: () => boolean;
  readonly showUnread: (count: number) => void;
}

/** Interface of a mounted panel for the loader. */
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
