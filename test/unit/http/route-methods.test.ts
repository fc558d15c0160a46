import { expect, test } from "bun:test";

import { Elysia } from "elysia";

import { routeMethods, withHead } from "../../../src/http/route-methods.ts";

const ROUTES = new Elysia()
  .post("/chat", "")
  .get("/chat/events", "")
  .get("/cdn/*", "")
  .get("/demo/:botId", "")
  .get("/openapi.json", "")
  .get("/feedback", "")
  .post("/feedback", "");

test.each([
  ["/chat", ["POST"]],
  ["/chat/", ["POST"]],
  ["/chat//", []],
  ["/chat/events", ["GET", "HEAD"]],
  ["/feedback", ["GET", "HEAD", "POST"]],
  ["/cdn/widget.js", ["GET", "HEAD"]],
  ["/cdn/a/b.js", ["GET", "HEAD"]],
  ["/cdn/", ["GET", "HEAD"]],
  ["/demo/shop", ["GET", "HEAD"]],
  ["/demo/shop/more", []],
  ["/demo/", []],
  ["/openapi-json", []],
  ["/Chat", []],
])("%s takes %p", (pathname, methods) => {
  expect(routeMethods(ROUTES)(pathname)).toEqual(methods);
});

test("a method that several routes take is named once", () => {
  expect(withHead(["POST", "GET", "POST"])).toEqual(["GET", "HEAD", "POST"]);
});
