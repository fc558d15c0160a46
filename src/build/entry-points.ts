/** What is compiled into the executable: the program, and the threads that judge long messages, train, encode, group, read documents and check bots. */
export const PROGRAM = [
  "src/main.ts",
  "src/bots/judging-worker.ts",
  "src/intent/training/training-worker.ts",
  "src/intent/encoder/encoder-worker.ts",
  "src/intent/evaluation/cluster-worker.ts",
  "src/knowledge/sources/thread/parse-worker.ts",
  "src/operate/check/check-worker.ts",
];

/** What the widget, the demo page and the client are bundled from. */
export const WIDGET = [
  "src/widget/loader/main.ts",
  "src/widget/panel/main.tsx",
  "src/widget/demo/demo.ts",
  "src/widget/templates/kiosk.ts",
  "src/client/main.ts",
];

/** What the console is bundled from; its pages are found by their imports. */
export const CONSOLE = ["src/console/main.tsx"];
