import { useScope, useWords } from "./context.ts";
import { IconButton } from "./icons.tsx";

export function Header({ onRestart }: { onRestart: (() => void) | undefined }) {
  const { shell } = useScope();
  const words = useWords();
  return (
    <header>
      <h2 dir="auto">{shell.config.botName}</h2>
      {onRestart && <IconButton name="restart" label={words("restart")} onClick={onRestart} />}
      {!shell.options.container && <IconButton name="close" label={words("close")} onClick={shell.close} />}
    </header>
  );
}
