import { Component, type ComponentChild, h } from "preact";
import { useEffect, useState } from "preact/hooks";

import { asProblem } from "../api/resource.ts";
import { loadPart } from "../load-part.ts";
import type { PageModule, PageProps, PageRoute } from "../page.ts";
import { PAGES } from "../pages.ts";
import { PageHead } from "../parts/page-head.tsx";
import { Empty, Fault } from "../parts/states.tsx";
import { findPage, place } from "../router.ts";

const loaded = new Map<PageRoute, PageModule>();

/** The page at the current address, loaded on demand. */
export function CurrentPage() {
  const { path, query } = place.value;
  const found = findPage(PAGES, path);
  if (found === undefined) return <NoPage />;
  return (
    <Guard key={found.page.path}>
      <LoadedPage page={found.page} params={found.params} query={query} />
    </Guard>
  );
}

function LoadedPage({ page, ...props }: { page: PageRoute } & PageProps) {
  const [, setLoaded] = useState<PageModule>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let isGone = false;
    const start = async () => {
      const module = await loadPart(page.load);
      loaded.set(page, module);
      if (!isGone) setLoaded(module);
    };
    start().catch((thrown: unknown) => {
      if (!isGone) setError(thrown);
    });
    return () => {
      isGone = true;
    };
  }, [page]);
  if (error !== undefined) return <Broken error={error} />;
  const Page = loaded.get(page)?.default;
  return Page === undefined ? null : <Page {...props} />;
}

/** Catches a defect of one page, so that the others keep working. */
class Guard extends Component<{ children: ComponentChild }, { error: unknown }> {
  override state = { error: undefined };

  override componentDidCatch(error: unknown): void {
    this.setState({ error });
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Broken error={error} retry={() => this.setState({ error: undefined })} />;
  }
}

function Broken({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div class="body top">
      <Fault what="This page could not be shown" problem={asProblem(error)} {...(retry && { retry })} />
    </div>
  );
}

function NoPage() {
  return (
    <div>
      <PageHead title="No such page" />
      <Empty title="There is nothing at this address">
        <p>The address may be mistyped, or belong to a later version of Parley.</p>
        <div class="actions">
          <a class="btn" href="/">
            Overview
          </a>
        </div>
      </Empty>
    </div>
  );
}
