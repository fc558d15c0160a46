/** What may be chosen as a role, with what it means. */
export const ROLE_OPTIONS = [
  ["viewer", "viewer: reads"],
  ["editor", "editor: also changes bots"],
  ["owner", "owner: everything"],
] as const;
