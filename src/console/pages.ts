import type { PageRoute } from "./page.ts";

/** Every page, loaded when somebody goes there. The first whose path matches counts. */
export const PAGES: readonly PageRoute[] = [
  { path: "/", title: "Overview", load: () => import("./pages/overview/page.tsx") },
  { path: "/improve/:group?", title: "Improve", load: () => import("./pages/improve/page.tsx") },
  {
    path: "/conversations/:id?",
    title: "Conversations",
    load: () => import("./pages/conversations/page.tsx"),
  },
  { path: "/handoffs/:id?", title: "Hand-offs", load: () => import("./pages/handoffs/page.tsx") },
  { path: "/try/:bot?", title: "Try it", load: () => import("./pages/try/page.tsx") },
  { path: "/bots/:bot?/:tab?/:range?", title: "Bots", load: () => import("./pages/bots/page.tsx") },
  { path: "/tokens", title: "Tokens", load: () => import("./pages/tokens/page.tsx") },
  { path: "/models", title: "Models", load: () => import("./pages/models/page.tsx") },
  { path: "/audit", title: "Audit", load: () => import("./pages/audit/page.tsx") },
  { path: "/deliveries", title: "Deliveries", load: () => import("./pages/deliveries/page.tsx") },
  { path: "/health", title: "Health", load: () => import("./pages/health/page.tsx") },
  { path: "/operators", title: "Operators, keys", load: () => import("./pages/operators/page.tsx") },
];
