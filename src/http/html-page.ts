interface HtmlPage {
  title: string;
  /** Elements of the head beside those of every page. */
  head?: string;
  body: string;
  /** Value of `Content-Security-Policy`. */
  policy: string;
  /** Attributes of the root element. */
  root?: string;
  /** Attributes of the body element, with a space before them. */
  bodyAttributes?: string;
  referrerPolicy?: string;
}

/** A page of HTML that nobody caches. Texts are escaped by the caller. */
export function htmlPage(page: HtmlPage): Response {
  const { root = 'lang="en"', head = "", bodyAttributes = "", referrerPolicy = "no-referrer" } = page;
  const html = `<!doctype html>
<html ${root}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<link rel="icon" href="data:,">
${head}
</head>
<body${bodyAttributes}>
${page.body}
</body>
</html>
`;
  return new Response(html, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": page.policy,
      "Cache-Control": "no-store",
      "Referrer-Policy": referrerPolicy,
      "X-Content-Type-Options": "nosniff",
    },
  });
}
