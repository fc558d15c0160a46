import type { PageRoute } from "./page.ts";

/** All pages, loaded on demand. The first matching path counts. */
export const PAGES: readonly PageRoute[] = [
  { path: "/", title: "Overview", help: "operating", load: () => import("./pages/overview/page.tsx") },
  {
    path: "/improve/:group?",
    title: "Improve",
    help: "console#make-a-bot-better",
    load: () => import("./pages/improve/page.tsx"),
  },
  {
    path: "/conversations/:id?",
    title: "Conversations",
    help: "privacy",
    load: () => import("./pages/conversations/page.tsx"),
  },
  {
    path: "/handoffs/:id?",
    title: "Hand-offs",
    help: "handoffs",
    load: () => import("./pages/handoffs/page.tsx"),
  },
  {
    path: "/try/:bot?",
    title: "Try it",
    help: "console#make-a-bot-better",
    load: () => import("./pages/try/page.tsx"),
  },
  {
    path: "/bots/:bot?/:tab?/:range?",
    title: "Bots",
    help: "bot-files",
    load: () => import("./pages/bots/page.tsx"),
  },
  {
    path: "/tokens",
    title: "Tokens",
    help: "console#embed-tokens",
    load: () => import("./pages/tokens/page.tsx"),
  },
  { path: "/models", title: "Models", help: "model-servers", load: () => import("./pages/models/page.tsx") },
  { path: "/audit", title: "Audit", help: "console#the-audit", load: () => import("./pages/audit/page.tsx") },
  {
    path: "/deliveries",
    title: "Deliveries",
    help: "handoffs#when-a-notice-fails",
    load: () => import("./pages/deliveries/page.tsx"),
  },
  {
    path: "/health",
    title: "Health",
    help: "troubleshooting",
    load: () => import("./pages/health/page.tsx"),
  },
  {
    path: "/operators",
    title: "Operators, keys",
    help: "console#roles",
    load: () => import("./pages/operators/page.tsx"),
  },
];
