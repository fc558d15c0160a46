import type { PanelView } from "./view.ts";

interface WelcomeProps {
  view: PanelView;
  onAsk: (text: string) => void;
}

/** The greeting, and before the first message the suggested questions as pills or as cards. */
export function Welcome({ view, onAsk }: WelcomeProps) {
  const { welcomeMessage, suggestedQuestions, suggestedQuestionsStyle } = view.shell.config;
  const fresh = view.session.messages().length === 0;
  return (
    <div class={fresh ? "welcome fresh" : "welcome"}>
      <p class="greeting">
        <bdi>{welcomeMessage}</bdi>
      </p>
      {fresh && suggestedQuestions.length > 0 && (
        <ul class={suggestedQuestionsStyle} aria-label={view.words("suggestions")}>
          {suggestedQuestions
            .toSorted((a, b) => a.order - b.order)
            .map(({ id, text }) => (
              <li key={id}>
                <button type="button" onClick={() => onAsk(text)}>
                  <bdi>{text}</bdi>
                </button>
              </li>
            ))}
        </ul>
      )}
    </div>
  );
}
