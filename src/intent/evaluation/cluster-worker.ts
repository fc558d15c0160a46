/** Entry of the thread that groups texts: texts in, groups out. An entry point of its own in the compiled executable; see `ClusterThread`. */
import { clusterTexts, type TextCluster } from "./cluster.ts";

declare const self: {
  addEventListener(type: "message", listen: (event: MessageEvent<readonly string[]>) => void): void;
  postMessage(clusters: readonly TextCluster[], transfer: ArrayBufferLike[]): void;
};

self.addEventListener("message", ({ data: texts }) => self.postMessage(clusterTexts(texts), []));
