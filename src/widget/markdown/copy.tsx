import { Component, Fragment, h } from "preact";

/** Texts of a copy button. */
export interface CopyLabels {
  copy: string;
  copied: string;
}

interface CopyProps {
  labels: CopyLabels;
  /** Returns the text to copy; called at the click. */
  textOf: (button: HTMLElement) => string;
}

const SHOWN_FOR_MS = 2000;

/** Button that copies a text and announces it. Not shown where the page has no clipboard access. */
export class Copy extends Component<CopyProps, { done: boolean }> {
  readonly copy = ({ currentTarget }: Event) => {
    void this.#write(this.props.textOf(currentTarget as HTMLElement));
  };

  async #write(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return; // Permission denied: nothing is copied and nothing announced.
    }
    this.setState({ done: true });
    setTimeout(() => this.setState({ done: false }), SHOWN_FOR_MS);
  }

  override render() {
    const { labels } = this.props;
    if (globalThis.navigator?.clipboard === undefined) return null;
    const path = this.state.done ? "m5 12 5 5 9-10" : "M9 9h11v11H9zM5 15H4V4h11v1";
    return (
      <Fragment>
        <button type="button" class="copy" aria-label={labels.copy} title={labels.copy} onClick={this.copy}>
          <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d={path} />
          </svg>
        </button>
        <span class="unseen" role="status">
          {this.state.done && labels.copied}
        </span>
      </Fragment>
    );
  }
}
