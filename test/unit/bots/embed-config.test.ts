import { describe, expect, test } from "bun:test";

import { embedConfigOf } from "../../../src/bots/embed-config.ts";
import { shopBot } from "../../support/bots.ts";

const ADDRESSES = { publicUrl: "https://chat.example", cdnUrl: "https://chat.example/cdn" };

const hoursShown = (timezone: string) => {
  const hours = { timezone, open: ["Mo-Fr 09:00-17:00"] };
  return embedConfigOf(shopBot({ handoff: { fields: ["phone"], hours } }), ADDRESSES).handoff;
};

describe("what the widget shows of a bot", () => {
  test("has the hours at which somebody is there", () => {
    expect(hoursShown("Europe/Berlin")?.hours).toEqual({
      timezone: "Europe/Berlin",
      open: ["Mo-Fr 09:00-17:00"],
    });
  });

  test("leaves out hours of no time zone that an earlier version stored, and offers the form still", () => {
    expect(hoursShown("Berlin")).toEqual({
      offer: ["refused", "not_understood_twice", "cap", "asked"],
      fields: ["phone"],
      live: true,
    });
  });
});
