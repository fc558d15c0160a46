import { useScope, useWords } from "./context.ts";

interface WelcomeProps {
  /** Nothing has been said yet. */
  fresh: boolean;
  onAsk: (text: string) => void;
}

/** The greeting, and before the first message the suggested questions as pills or as cards. */
export function Welcome({ fresh, onAsk }: WelcomeProps) {
  const { shell } = useScope();
  const words = useWords();
  const { welcomeMessage, suggestedQuestions, suggestedQuestionsStyle } = shell.config;
  return (
    <div class={fresh ? "welcome fresh" : "welcome"}>
      <p class="greeting" dir="auto">
        {welcomeMessage}
      </p>
      {fresh && suggestedQuestions.length > 0 && (
        <ul class={suggestedQuestionsStyle} aria-label={words("suggestions")}>
          {suggestedQuestions.toSorted((a, b) => a.order - b.order).map(({ id, text }) => (
            <li key={id}>
              <button type="button" dir="auto" onClick={() => onAsk(text)}>
                {text}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
