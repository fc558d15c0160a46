import { describe, expect, test } from "bun:test";

import { parse } from "yaml";

import { renameSlot } from "../../../../src/console/yaml/rename-slot.ts";

const SHOP = `# A bot
id: shop
intents:
  - name: orders.cancel
    slots:
      - { name: number, type: text, pattern: "[0-9]{5}", ask: "Which {number}?" }
      - name: email # where it was ordered
        type: email
        ask: Your e-mail address?
    action:
      endpoint: orders
      method: POST
      path: /orders/{number}/cancel?number={ number }&n={numbers}
      body: { number: "{number}", who: [{ is: "{email}" }, "{{number} {number, number}"] }
      proof: [number, email]
      confirm: "Cancel {number}, {{number}?" # at last
      answers:
        - { when: { body.number: number }, say: "{body.number}: {number}" }
        - say: Order {number} is cancelled, {number}.
      failure: Not {number}.
  - name: orders.status
    slots:
      - { name: number, type: text, pattern: "[0-9]{5}" }
    action: { path: "/orders/{number}", proof: [number] }
`;

const rename = (to: string, at = 0, text = SHOP) => renameSlot(text, ["intents", 0], at, to);

describe("renaming a slot", () => {
  test("whatever its action says of it follows, and comments stay", () => {
    const expected = SHOP.replace("{ name: number,", "{ name: order,")
      .replace("/orders/{number}/cancel?number={ number }", "/orders/{order}/cancel?number={ order }")
      .replace('number: "{number}", who', 'number: "{order}", who')
      .replace("{number, number}", "{order, number}")
      .replace("proof: [number, email]", "proof: [order, email]")
      .replace("Cancel {number},", "Cancel {order},")
      .replace("{body.number}: {number}", "{body.number}: {order}")
      .replace("Order {number} is cancelled, {number}.", "Order {order} is cancelled, {order}.");
    expect(parse(rename("order")!)).toEqual(parse(expected));
    expect(rename("order")).toContain("# at last");
    expect(rename("order")).toContain("name: email # where it was ordered");
  });

  test("and back again, the text says what it said", () => {
    expect(parse(rename("number", 0, rename("order"))!)).toEqual(parse(SHOP));
  });

  test("of two with one name leaves the other one its uses", () => {
    const twice = SHOP.replace("name: email #", "name: number #");
    expect(parse(rename("mail", 1, twice)!)).toEqual(parse(twice.replace("name: number #", "name: mail #")));
  });

  test("of an intent without an action is the slot's name alone", () => {
    const text = "intents:\n  - name: a\n    slots: [{ name: one }]\n";
    expect(rename("other", 0, text)).toBe(text.replace("one", "other"));
  });

  test("through an alias is none", () => {
    const text = "x: &a { confirm: '{one}?' }\nintents:\n  - slots: [{ name: one }]\n    action: *a\n";
    expect(rename("other", 0, text)).toBeUndefined();
  });
});
