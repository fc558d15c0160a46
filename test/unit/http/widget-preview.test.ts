import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";

import { widgetPreview } from "../../../src/http/widget-preview.ts";

const preview = (query = "", publicUrl = "https://chat.example/base/") =>
  widgetPreview(new Request(`http://localhost/preview/widget${query}`), publicUrl);

describe("the page that the console frames the widget in", () => {
  test("has an origin of its own, and may be framed by the console alone", () => {
    const policy = preview().headers.get("content-security-policy")!;
    expect(policy).toContain("sandbox allow-scripts");
    expect(policy).not.toContain("allow-same-origin");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toContain("connect-src");
  });

  test("runs the bridge and the widget, and nothing else", async () => {
    const response = preview();
    const html = await response.text();
    const bridge = /<script>([^]*?)<\/script>/.exec(html)![1]!;
    const hash = createHash("sha256").update(bridge).digest("base64");
    expect(response.headers.get("content-security-policy")).toContain(
      `script-src 'sha256-${hash}' https://chat.example;`,
    );
    expect(html).toContain('src="https://chat.example/base/cdn/widget.js"');
    expect(html.match(/<script/g)).toHaveLength(2);
  });

  test("reads from the right where that is asked for, and takes nothing else from its address", async () => {
    expect(await preview("?direction=rtl").text()).toContain('<html lang="ar" dir="rtl">');
    expect(await preview('?direction="><script>').text()).toContain('<html lang="en">');
  });
});
