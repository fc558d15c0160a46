import { describe, expect, test } from "bun:test";

import { LineWriter, MAX_WAITING, type WriteBytes } from "../../../src/log/line-writer.ts";

const SOON_MS = 2000;
const LINE = `${"x".repeat(999)}\n`;

/** A device that fails until it is mended, and takes at most `takes` bytes at once. */
function device(takes = Number.POSITIVE_INFINITY) {
  const chunks: Uint8Array[] = [];
  const state = {
    failure: undefined as string | undefined,
    writes: 0,
    get text() {
      return Buffer.concat(chunks).toString();
    },
  };
  const writeBytes: WriteBytes = async (_, bytes) => {
    if (state.failure !== undefined) throw Object.assign(new Error(), { code: state.failure });
    const taken = bytes.subarray(0, takes);
    chunks.push(taken);
    state.writes += 1;
    return taken.length;
  };
  return { state, writeBytes };
}

function writerTo(writeBytes: WriteBytes) {
  const counts = { dropped: 0 };
  const writer: LineWriter = new LineWriter({
    descriptor: 1,
    writeBytes,
    onDrop: () => void (counts.dropped += 1),
    onRoom: (lines) => writer.write(`${lines} lost\n`),
  });
  return { writer, counts };
}

describe("lines for a log", () => {
  test("arrive whole and in order, many in one write", async () => {
    const { state, writeBytes } = device();
    const { writer } = writerTo(writeBytes);
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i} – ü\n`);
    for (const line of lines) writer.write(line);
    await writer.flush(SOON_MS);
    expect(state.text).toBe(lines.join(""));
    expect(state.writes).toBe(1);
  });

  test("arrive whole where a write takes only a part of them", async () => {
    const { state, writeBytes } = device(7);
    const { writer } = writerTo(writeBytes);
    for (let i = 0; i < 50; i += 1) writer.write(`line ${i} – ü\n`);
    await writer.flush(SOON_MS);
    expect(state.text.split("\n").slice(0, -1)).toEqual(
      Array.from({ length: 50 }, (_, i) => `line ${i} – ü`),
    );
  });

  test.each(["EAGAIN", "ENOSPC", "EIO"])(
    "wait, are bounded and counted while writing fails with %s",
    async (code) => {
      const { state, writeBytes } = device();
      const { writer, counts } = writerTo(writeBytes);
      state.failure = code;
      const fitting = Math.floor(MAX_WAITING / LINE.length);
      for (let i = 0; i < fitting + 500; i += 1) writer.write(LINE);
      await writer.flush(30);
      for (let i = 0; i < 500; i += 1) writer.write(LINE);
      expect({ dropped: counts.dropped, text: state.text }).toEqual({ dropped: 1000, text: "" });
    },
  );

  test("are told to be lost by one line, when writing works again", async () => {
    const { state, writeBytes } = device();
    const { writer, counts } = writerTo(writeBytes);
    state.failure = "EAGAIN";
    const fitting = Math.floor(MAX_WAITING / LINE.length);
    for (let i = 0; i < fitting + 7; i += 1) writer.write(LINE);
    state.failure = undefined;
    await writer.flush(SOON_MS);
    writer.write("and on\n");
    await writer.flush(SOON_MS);
    expect(counts.dropped).toBe(7);
    expect(state.text.replaceAll(LINE, "")).toBe("7 lost\nand on\n");
    expect(state.text.length).toBe(fitting * LINE.length + "7 lost\nand on\n".length);
  });

  test("hold up an exit no longer than its deadline", async () => {
    const { state, writeBytes } = device();
    const { writer } = writerTo(writeBytes);
    state.failure = "ENOSPC";
    writer.write(LINE);
    expect(await Promise.race([writer.flush(100), Bun.sleep(4000).then(() => "late")])).not.toBe("late");
  });
});
