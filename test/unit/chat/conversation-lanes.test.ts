import { describe, expect, test } from "bun:test";

import { ConversationLanes } from "../../../src/chat/concurrent-turns.ts";

describe("conversation lanes", () => {
  test("run the work of one lane in order of arrival, never two at once", async () => {
    const lanes = new ConversationLanes();
    const events: string[] = [];
    const work = (name: string, milliseconds: number) => async () => {
      events.push(`${name} starts`);
      await Bun.sleep(milliseconds);
      events.push(`${name} ends`);
    };
    await Promise.all([
      lanes.run("x", work("a", 20)),
      lanes.run("x", work("b", 1)),
      lanes.run("x", work("c", 5)),
    ]);
    expect(events).toEqual(["a starts", "a ends", "b starts", "b ends", "c starts", "c ends"]);
  });

  test("run different lanes side by side", async () => {
    const lanes = new ConversationLanes();
    const gate = Promise.withResolvers<void>();
    const waiting = lanes.run("x", () => gate.promise);
    await lanes.run("y", async () => gate.resolve());
    await waiting;
  });

  test("go on after work that failed, and pass the failure to its caller alone", async () => {
    const lanes = new ConversationLanes();
    const failing = lanes.run("x", () => Promise.reject(new Error("broken")));
    const following = lanes.run("x", async () => "fine");
    await expect(failing).rejects.toThrow("broken");
    expect(await following).toBe("fine");
  });
});
