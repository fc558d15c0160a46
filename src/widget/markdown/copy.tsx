import { Component, Fragment, h } from "preact";

/** Wording of a button that copies. */
export interface CopyLabels {
  copy: string;
  copied: string;
}

interface CopyProps {
  labels: CopyLabels;
  /** What is copied; it is asked when the visitor wants it. */
  textOf: (button: HTMLElement) => string;
}

const SHOWN_FOR_MS = 2000;

/** A button that puts a text on the clipboard, and says so. None where the browser has no clipboard for the page. */
export class Copy extends Component<CopyProps, { done: boolean }> {
  readonly copy = ({ currentTarget }: Event) => {
    void this.#write(this.props.textOf(currentTarget as HTMLElement));
  };

  async #write(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return; // The visitor forbids it: nothing is copied, and nothing says that it was.
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
