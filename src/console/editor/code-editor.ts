import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  type CompletionContext,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  keymap,
  lineNumbers,
  type ViewUpdate,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

import type { BotMistake } from "../../domain/operator/bots.ts";
import type { Lines } from "../yaml/place.ts";
import { type Schema, suggestionsAt } from "./schema-completion.ts";

export interface CodeEditor {
  setText(text: string): void;
  setMistakes(mistakes: readonly BotMistake[]): void;
  /** Shades lines and scrolls them into view; undefined: none. */
  shade(lines: Lines | undefined): void;
  focus(): void;
  destroy(): void;
}

interface CodeEditorOptions {
  label: string;
  text: string;
  isReadOnly: boolean;
  onChange: (text: string) => void;
  onBlur: () => void;
  schema: () => Schema | undefined;
}

/** Marks a change from outside, which is not reported back. */
const fromOutside = Annotation.define<boolean>();
const shadeLines = StateEffect.define<Lines | undefined>();
const shaded = Decoration.line({ class: "cm-shaded" });

const shading = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(now, transaction) {
    const effect = transaction.effects.find((each) => each.is(shadeLines));
    if (effect === undefined) return now.map(transaction.changes);
    const lines = effect.value;
    if (lines === undefined) return Decoration.none;
    const builder = new RangeSetBuilder<Decoration>();
    const { doc } = transaction.state;
    for (let n = lines.from; n <= Math.min(lines.to, doc.lines); n++) {
      const { from } = doc.line(n);
      builder.add(from, from, shaded);
    }
    return builder.finish();
  },
  provide: (field) => EditorView.decorations.from(field),
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--asked)" },
  { tag: [tags.string, tags.content, tags.number, tags.bool], color: "var(--answered)" },
  { tag: tags.comment, color: "var(--ink-3)", fontStyle: "italic" },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: "var(--ink-2)" },
]);

const look = EditorView.theme({
  "&": {
    fontSize: "var(--text-xs)",
    color: "var(--ink)",
    backgroundColor: "var(--sunken)",
    maxHeight: "inherit",
  },
  "&.cm-focused": { outline: "var(--outline)", outlineOffset: "calc(-1 * var(--s0))" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--ink-3)", border: "0" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "2rem", paddingInline: "0.25rem" },
  ".cm-content": { caretColor: "var(--ink)", paddingBlock: "0.5rem" },
  ".cm-cursor": { borderInlineStartColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  ".cm-shaded": { backgroundColor: "var(--accent-soft)", boxShadow: "inset var(--s0) 0 0 var(--accent)" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "var(--edge-strong)",
    borderRadius: "var(--r2)",
    overflow: "clip",
    boxShadow: "var(--shadow-over)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "16rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
  },
  ".cm-completionInfo": { padding: "0.5rem", maxWidth: "20rem", fontFamily: "var(--font)" },
  ".cm-diagnostic": { padding: "0.4rem 0.6rem", fontFamily: "var(--font)" },
  ".cm-diagnostic-error": { borderInlineStart: "calc(3 * var(--hair)) solid var(--failed-solid)" },
  ".cm-diagnostic-warning": { borderInlineStart: "calc(3 * var(--hair)) solid var(--unmatched-solid)" },
  ".cm-lintRange": { backgroundImage: "none", paddingBottom: "0" },
  ".cm-lintRange-error": {
    textDecoration: "underline wavy var(--failed-solid)",
    textUnderlineOffset: "0.2em",
  },
  ".cm-lintRange-warning": {
    textDecoration: "underline wavy var(--unmatched-solid)",
    textUnderlineOffset: "0.2em",
  },
  ".cm-lint-marker-error, .cm-lint-marker-warning": {
    content: "none",
    width: "0.5rem",
    height: "0.5rem",
    borderRadius: "50%",
    marginBlockStart: "0.35rem",
  },
  ".cm-lint-marker-error": { backgroundColor: "var(--failed-solid)" },
  ".cm-lint-marker-warning": { backgroundColor: "var(--unmatched-solid)" },
  ".cm-gutter-lint": { width: "0.9rem" },
});

function completions(schema: CodeEditorOptions["schema"]) {
  return (context: CompletionContext) => {
    const known = schema();
    const found = known && suggestionsAt(known, context.state.doc.toString(), context.pos);
    if (found === undefined) return null;
    // On an empty line, completion opens only on request.
    if (!context.explicit && found.from === context.pos) return null;
    return {
      from: found.from,
      options: found.options.map(({ label, insert, detail }) => ({ label, apply: insert, info: detail })),
    };
  };
}

/**
 * A YAML editor in a shadow tree below `host`. There CodeMirror uses constructed style sheets, which the strict content security policy
 * allows.
 */
export function createCodeEditor(host: HTMLElement, options: CodeEditorOptions): CodeEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const tell = ({ docChanged, transactions, state, focusChanged, view }: ViewUpdate) => {
    const isOwn = docChanged && !transactions.some((each) => each.annotation(fromOutside) === true);
    if (isOwn) options.onChange(state.doc.toString());
    if (focusChanged && !view.hasFocus) options.onBlur();
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        closeBrackets(),
        yaml(),
        syntaxHighlighting(colours),
        look,
        shading,
        EditorState.readOnly.of(options.isReadOnly),
        // A scrollable area must be reachable by keyboard; some tools do not count `contenteditable`.
        EditorView.contentAttributes.of({ "aria-label": options.label, tabindex: "0" }),
        autocompletion({ override: [completions(options.schema)], icons: false }),
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.updateListener.of(tell),
      ],
    }),
  });
  return {
    setText: (text) => replaceText(view, text),
    setMistakes: (mistakes) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          mistakes.map((each) => diagnosticOf(view.state, each)),
        ),
      ),
    shade: (lines) => shadeIn(view, lines),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

/** Replaces only the part that differs, so that the cursor keeps its place. */
function replaceText(view: EditorView, text: string): void {
  const now = view.state.doc.toString();
  if (now === text) return;
  let from = 0;
  const most = Math.min(now.length, text.length);
  while (from < most && now[from] === text[from]) from++;
  let end = 0;
  while (end < most - from && now[now.length - 1 - end] === text[text.length - 1 - end]) end++;
  view.dispatch({
    changes: { from, to: now.length - end, insert: text.slice(from, text.length - end) },
    annotations: fromOutside.of(true),
  });
}

function shadeIn(view: EditorView, lines: Lines | undefined): void {
  const effects: StateEffect<unknown>[] = [shadeLines.of(lines)];
  if (lines !== undefined && lines.from <= view.state.doc.lines && !view.hasFocus)
    effects.push(EditorView.scrollIntoView(view.state.doc.line(lines.from).from, { y: "center" }));
  view.dispatch({ effects });
}

function diagnosticOf(
  state: EditorState,
  { line = 1, column = 1, message, severity }: BotMistake,
): Diagnostic {
  const at = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
  const from = Math.min(at.from + column - 1, at.to);
  return { from, to: Math.max(at.to, from), severity, message };
}
