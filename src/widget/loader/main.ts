import { readOptions } from "./options.ts";
import { startWidget } from "./widget.ts";

function start(): void {
  const queued = window.Parley ?? [];
  const script = (document.currentScript ??
    document.querySelector("script[data-bot-id]")) as HTMLScriptElement | null;
  if (!script || !Array.isArray(queued)) return;
  const root = document.documentElement;
  const options = readOptions(script, root.lang || navigator.language, root.dir);
  const parley = startWidget(options, () => delete window.Parley);
  window.Parley = parley;
  parley.push(...queued);
}

start();
