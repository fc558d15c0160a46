/** Entry points of the executable: the program, and the threads that judge long messages, train, encode, group, read documents and check bots. */
export const PROGRAM = [
  "src/main.ts",
  "src/bots/judging-worker.ts",
  "src/intent/training/training-worker.ts",
  "src/intent/encoder/encoder-worker.ts",
  "src/intent/evaluation/cluster-worker.ts",
  "src/knowledge/sources/thread/parse-worker.ts",
  "src/operate/check/check-worker.ts",
];

/** Entry points of the widget, the demo page and the client. */
export const WIDGET = [
  "src/widget/loader/main.ts",
  "src/widget/panel/main.tsx",
  "src/widget/demo/demo.ts",
  "src/widget/templates/kiosk.ts",
  "src/client/main.ts",
];

/** Entry point of the console; its pages are found by their imports. */
export const CONSOLE = ["src/console/main.tsx"];
