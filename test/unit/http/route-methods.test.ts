import { expect, test } from "bun:test";

import { allMethods, routeMethods } from "../../../src/http/route-methods.ts";

const ROUTES = [
  { method: "POST", path: "/chat" },
  { method: "GET", path: "/chat/events" },
  { method: "GET", path: "/cdn/*" },
  { method: "GET", path: "/demo/:botId" },
  { method: "GET", path: "/openapi.json" },
  { method: "GET", path: "/feedback" },
  { method: "POST", path: "/feedback" },
];

test.each([
  ["/chat", ["POST"]],
  ["/chat/", ["POST"]],
  ["/chat//", []],
  ["/chat/events", ["GET", "HEAD"]],
  ["/feedback", ["GET", "HEAD", "POST"]],
  ["/cdn/widget.js", ["GET", "HEAD"]],
  ["/cdn/a/b.js", ["GET", "HEAD"]],
  ["/cdn/", []],
  ["/demo/shop", ["GET", "HEAD"]],
  ["/demo/shop/more", []],
  ["/demo/", []],
  ["/openapi-json", []],
  ["/Chat", []],
])("%s takes %p", (pathname, methods) => {
  expect(routeMethods(ROUTES)(pathname)).toEqual(methods);
});

test("every method that some route takes is named once", () => {
  expect(allMethods(ROUTES)).toEqual(["GET", "HEAD", "POST"]);
});
