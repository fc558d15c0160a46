import { Component, type ComponentChildren } from "preact";

import { type Block, parseBlocks } from "./blocks.ts";
import type { Inline } from "./inline.ts";
import { safeImageUrl, safeLinkUrl } from "./safe-url.ts";

export interface MarkdownLabels {
  showImage: string;
  table: string;
  code: string;
}

interface Labelled {
  labels: MarkdownLabels;
}

/** An answer's Markdown as elements: no HTML is ever parsed, and nothing is loaded before a click. */
export function Markdown({ text, labels }: Labelled & { text: string }) {
  return <Blocks blocks={parseBlocks(text)} labels={labels} />;
}

function Blocks({ blocks, labels }: Labelled & { blocks: readonly Block[] }) {
  return <>{blocks.map((block) => renderBlock(block, labels))}</>;
}

function renderBlock(block: Block, labels: MarkdownLabels): ComponentChildren {
  switch (block.kind) {
    case "paragraph":
      return <p>{renderInline(block.content, labels)}</p>;
    case "heading":
      return <p class="heading">{renderInline(block.content, labels)}</p>;
    case "rule":
      return <hr />;
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.blocks} labels={labels} />
        </blockquote>
      );
    case "code":
      return (
        <pre tabIndex={0} role="group" aria-label={labels.code} dir="ltr">
          <code>{block.text}</code>
        </pre>
      );
    case "list":
      return <List list={block} labels={labels} />;
    case "table":
      break;
  }
  return <Table table={block} labels={labels} />;
}

function List({ list, labels }: Labelled & { list: Extract<Block, { kind: "list" }> }) {
  const items = list.items.map((blocks) => {
    const only = blocks[0];
    // A one-line item is not a paragraph of its own.
    const tight = blocks.length === 1 && only?.kind === "paragraph";
    return <li>{tight ? renderInline(only.content, labels) : <Blocks blocks={blocks} labels={labels} />}</li>;
  });
  return list.ordered ? <ol start={list.start}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table, labels }: Labelled & { table: Extract<Block, { kind: "table" }> }) {
  return (
    <div class="table" tabIndex={0} role="group" aria-label={labels.table}>
      <table>
        <thead>
          <tr>
            {table.head.map((cell) => (
              <th scope="col">{renderInline(cell, labels)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td>{renderInline(cell, labels)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function renderInline(nodes: readonly Inline[], labels: MarkdownLabels): ComponentChildren {
  return nodes.map((node) => {
    switch (node.kind) {
      case "text":
        return node.text;
      case "break":
        return <br />;
      case "code":
        return <code>{node.text}</code>;
      case "strong":
        return <strong>{renderInline(node.children, labels)}</strong>;
      case "emphasis":
        return <em>{renderInline(node.children, labels)}</em>;
      case "deleted":
        return <del>{renderInline(node.children, labels)}</del>;
      case "link":
        return <Link url={node.url}>{renderInline(node.children, labels)}</Link>;
      case "image":
        break;
    }
    return <Image url={node.url} alt={node.alt} labels={labels} />;
  });
}

function Link({ url, children }: { url: string; children: ComponentChildren }) {
  const href = safeLinkUrl(url);
  if (href === undefined) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {children}
    </a>
  );
}

/** A remote image tells its server who looks at it: it is a link until the visitor asks for it. */
class Image extends Component<Labelled & { url: string; alt: string }, { shown: boolean }> {
  readonly show = (event: Event) => {
    event.preventDefault();
    this.setState({ shown: true });
  };

  override render() {
    const { url, alt, labels } = this.props;
    const href = safeImageUrl(url);
    if (href === undefined) return alt;
    if (this.state.shown) return <img src={href} alt={alt} referrerpolicy="no-referrer" />;
    return (
      <a class="image" href={href} target="_blank" rel="noopener noreferrer nofollow ugc" onClick={this.show}>
        {labels.showImage}
        {alt && `: ${alt}`}
      </a>
    );
  }
}
