import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { isatty, type WriteStream } from "node:tty";

import pc from "picocolors";

import type { Actor } from "../domain/change.ts";
import { type RandomBytes, secureRandomBytes } from "../domain/ids.ts";
import { type Environment, osUser } from "../domain/os-user.ts";
import type { Now } from "../domain/time.ts";
import { readAtMost } from "../seed/bot-sources.ts";

export type Colours = ReturnType<typeof pc.createColors>;

/** SIGHUP, too, so that closing the terminal of a server does not cut off answers. */
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

const DEFECT_EVENTS = ["unhandledRejection", "uncaughtException"] as const;

/** The environment of a command; tests replace it. */
export interface Terminal {
  env: Environment;
  /** The user who runs the command; within `createProgram` also which command. */
  actor: () => Actor;
  /** Writes a line to stdout. */
  print: (text: string) => void;
  /** Writes to stdout without a line end. Resolves when more can be written, so that slow readers are waited for. */
  write: (text: string) => Promise<void>;
  /** Writes a line to stderr. Never waits for the reader. */
  say: (text: string) => void;
  /** Stderr is a terminal, so progress can be redrawn. */
  isErrTerminal: boolean;
  /** Replaces the progress line; undefined removes it. Only if `isErrTerminal`. */
  showProgress: (text: string | undefined) => void;
  /** Colours of stdout and stderr; none if not a terminal. */
  colours: { out: Colours; err: Colours };
  /** Stdin and stdout are terminals, so questions can be asked. */
  isInteractive: boolean;
  /** Asks a yes-or-no question; only if `isInteractive`. */
  confirm: (question: string) => Promise<boolean>;
  /** Reads stdin to its end, or until more than `most` bytes. */
  readStdin: (most: number) => Promise<Uint8Array>;
  /** Lines of stdin until its end; with a `prompt` before each if `isInteractive`. */
  inputLines: (prompt: string) => AsyncIterable<string>;
  /** @throws if the file cannot be read. */
  readFile: (path: string) => string;
  /** Not called for SIGHUP if it is ignored, as under `nohup`. @returns a function that stops listening. */
  onStopSignal: (listener: (signal: StopSignal) => void) => () => void;
  /** Called for uncaught errors; only the latest listener is called. @returns a function that stops listening. */
  onDefect: (listener: (error: unknown) => void) => () => void;
  now: Now;
  randomBytes: RandomBytes;
}

/** Width of a terminal that does not report one. */
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
      // Cut to the terminal's width: ERASE_LINE erases one line, and a longer text would wrap.
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

/** Decided here, because picocolors would also colour a pipe in CI. */
function coloursOf(fileDescriptor: number): Colours {
  const { NO_COLOR, TERM } = process.env;
  return pc.createColors(isatty(fileDescriptor) && !NO_COLOR && TERM !== "dumb");
}

/** Everything except a yes counts as no, including the end of input. */
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
  // Checked before anybody listens, because adding a listener ends the ignoring.
  const signals = STOP_SIGNALS.filter((signal) => signal !== "SIGHUP" || !isHangupIgnored());
  return (listener) => {
    for (const signal of signals) process.on(signal, listener);
    return () => {
      for (const signal of signals) process.off(signal, listener);
    };
  };
}

/** Whether this process was started with SIGHUP ignored, from /proc (proc(5)), on Linux only. */
function isHangupIgnored(): boolean {
  if (process.platform !== "linux") return false;
  const [, mask = "0"] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  // Bit 0 is signal 1, which is SIGHUP.
  return (BigInt(`0x${mask}`) & 1n) === 1n;
}

/** With a listener, the process continues after an uncaught error, and the listener must end it. */
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

/** Characters buffered for a slow reader. */
const MAX_WAITING = 1024 * 1024;

type ErrorStream = Pick<WriteStream, "write" | "on">;

/**
 * Returns a function that writes to stderr without waiting, and without ending the process if stderr is full or closed. Beyond {@link
 * MAX_WAITING} unread characters, messages are dropped; exit codes still tell the result.
 */
function openMessages(stderr: ErrorStream): (text: string) => void {
  let waiting = 0;
  // Without a listener the error would end the process, and there is no other channel to report it on.
  stderr.on("error", () => undefined);
  return (text) => {
    if (waiting + text.length > MAX_WAITING) return;
    waiting += text.length;
    stderr.write(text, () => void (waiting -= text.length));
  };
}
