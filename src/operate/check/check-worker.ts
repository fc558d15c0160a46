/**
 * Entry of the thread that checks bots: `YamlToCheck` in, `CheckedYaml` out. A separate entry point in the executable; `CheckThread` knows
 * its address.
 */
import { type CheckedYaml, checkYaml, type YamlToCheck } from "./check-yaml.ts";

declare const self: {
  addEventListener(type: "message", listen: (event: MessageEvent<YamlToCheck>) => void): void;
  postMessage(news: CheckedYaml, transfer: ArrayBufferLike[]): void;
};

self.addEventListener("message", ({ data }) => self.postMessage(checkYaml(data), []));
