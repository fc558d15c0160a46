import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { isatty } from "node:tty";

import pc from "picocolors";

import type { Actor } from "../domain/change.ts";
import { type RandomBytes, secureRandomBytes } from "../domain/ids.ts";
import { osUser } from "../domain/os-user.ts";
import type { Now } from "../domain/time.ts";
import { readAtMost } from "../seed/read-at-most.ts";
import { openMessages } from "./messages.ts";

export type Colours = ReturnType<typeof pc.createColors>;

/** SIGHUP too: who closes the terminal of a server cuts no answer. */
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

const DEFECT_EVENTS = ["unhandledRejection", "uncaughtException"] as const;

/** The world around a command; tests replace it. */
export interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  /** Who runs a command; within `createProgram`, and which. */
  actor: () => Actor;
  /** Writes data to stdout, with a line end. */
  print: (text: string) => void;
  /** Writes data to stdout as it is. Resolves when more may follow, so that a slow reader is waited for. */
  write: (text: string) => Promise<void>;
  /** Writes a message to stderr, with a line end. Never waits for a reader. */
  say: (text: string) => void;
  /** Stderr is a terminal, on which progress can be redrawn. */
  isErrTerminal: boolean;
  /** Shows one line of progress in place of the one before; undefined takes it away. Only where `isErrTerminal`. */
  showProgress: (text: string | undefined) => void;
  /** Colours of stdout and of stderr; plain where it is no terminal. */
  colours: { out: Colours; err: Colours };
  /** Stdin and stdout are terminals: a question can be asked. */
  isInteractive: boolean;
  /** Asks a yes-or-no question; only where `isInteractive`. */
  confirm: (question: string) => Promise<boolean>;
  /** Stdin up to its end, or to more bytes than `most`. */
  readStdin: (most: number) => Promise<Uint8Array>;
  /** Lines of stdin until its end; shows `prompt` before each where `isInteractive`. */
  inputLines: (prompt: string) => AsyncIterable<string>;
  /** @throws when the file cannot be read. */
  readFile: (path: string) => string;
  /** Never told of SIGHUP where that is ignored, as `nohup` has it. @returns a function that stops listening. */
  onStopSignal: (listener: (signal: StopSignal) => void) => () => void;
  /** Told of errors that nobody caught; of several listeners, the one that came last. @returns a function that stops listening. */
  onDefect: (listener: (error: unknown) => void) => () => void;
  now: Now;
  randomBytes: RandomBytes;
}

/** Of a terminal that does not tell its width. */
const DEFAULT_COLUMNS = 80;
const ERASE_LINE = "\r\u001b[2K";

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const isInteractive = isatty(stdin.fd) && isatty(stdout.fd);
  const isErrTerminal = isatty(stderr.fd);
  const writeMessage = openMessages(stderr);
  return {
    env,
    actor: () => ({ kind: "user", name: osUser() }),
    print: (text) => void stdout.write(`${text}\n`),
    write: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    say: (text) => writeMessage(`${text}\n`),
    isErrTerminal,
    showProgress: (text = "") => {
      if (!isErrTerminal) return;
      // Cut to the width of the terminal: ERASE_LINE takes away one line, and a longer text would wrap to the next.
      writeMessage(`${ERASE_LINE}${text.slice(0, (stderr.columns || DEFAULT_COLUMNS) - 1)}`);
    },
    colours: { out: coloursOf(stdout.fd), err: coloursOf(stderr.fd) },
    isInteractive,
    confirm: askOnTerminal,
    readStdin: (most) => readAtMost(Bun.stdin.stream(), most),
    inputLines: (prompt) => readLines(isInteractive ? prompt : ""),
    readFile: (path) => readFileSync(path, "utf8"),
    onStopSignal: stopListening(),
    onDefect: defectListening(),
    now: Date.now,
    randomBytes: secureRandomBytes,
  };
}

/** Decided here, because picocolors would also colour a pipe when it runs in CI. */
function coloursOf(fileDescriptor: number): Colours {
  const { NO_COLOR, TERM } = process.env;
  return pc.createColors(isatty(fileDescriptor) && !NO_COLOR && TERM !== "dumb");
}

/** Anything but a yes means no, the end of the input included. */
async function askOnTerminal(question: string): Promise<boolean> {
  for await (const line of readLines(`${question} [y/N] `)) return /^y(es)?$/i.test(line.trim());
  return false;
}

async function* readLines(prompt: string): AsyncIterable<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  lines.setPrompt(prompt);
  if (prompt) lines.prompt();
  for await (const line of lines) {
    yield line;
    if (prompt) lines.prompt();
  }
}

function stopListening(): Terminal["onStopSignal"] {
  // Looked at once, before anybody listens: to listen ends that it is ignored.
  const signals = STOP_SIGNALS.filter((signal) => signal !== "SIGHUP" || !isHangupIgnored());
  return (listener) => {
    for (const signal of signals) process.on(signal, listener);
    return () => {
      for (const signal of signals) process.off(signal, listener);
    };
  };
}

/** Whether whoever started this process has it ignore SIGHUP; proc(5) tells it, on Linux alone. */
function isHangupIgnored(): boolean {
  if (process.platform !== "linux") return false;
  const [, mask = "0"] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  // Bit 0 is signal 1, which is SIGHUP.
  return (BigInt(`0x${mask}`) & 1n) === 1n;
}

/** With a listener, the process goes on after what nobody caught, and the listener sees to its end. */
function defectListening(): Terminal["onDefect"] {
  const listeners: ((error: unknown) => void)[] = [];
  const tell = (error: unknown) => listeners.at(-1)?.(error);
  return (listener) => {
    if (listeners.length === 0) for (const event of DEFECT_EVENTS) process.on(event, tell);
    listeners.push(listener);
    return () => {
      listeners.splice(listeners.indexOf(listener), 1);
      if (listeners.length === 0) for (const event of DEFECT_EVENTS) process.off(event, tell);
    };
  };
}
