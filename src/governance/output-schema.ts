export function compileOutputSchema(schema: unknown) {
  return {
    ok: true as const,
    enforcer: {
      enforce: (text: string): { valid: true; response: string } | { valid: false; error: string } => {
        const isString = (schema as { type?: string }).type === "string";
        if (isString) return { valid: true, response: text };
        try {
          return { valid: true, response: JSON.stringify(JSON.parse(text)) };
        } catch {
          return { valid: false, error: "not JSON" };
        }
      },
    },
  };
}
