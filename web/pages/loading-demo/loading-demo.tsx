import { useEffect, useState, type ReactNode } from 'react';
import { boot } from '#web/lib/store/boot.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorFallback } from '#web/ui/error-boundary.tsx';
import { Loader, LoadingMark } from '#web/ui/loader.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import {
  FormSkeleton,
  RowsSkeleton,
  SleevesSkeleton,
  WaveformSkeleton,
} from '#web/ui/skeleton.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { StageSkeleton } from '#web/ui/stage-skeleton.tsx';

const LOADER_SHOWN_MS = 3000;

/** Shows every loading, empty and error state once. */
export function Page() {
  const [isLoaderShown, setIsLoaderShown] = useState(false);
  const [retries, setRetries] = useState(0);
  useEffect(() => {
    if (!isLoaderShown) return;
    const timer = setTimeout(() => setIsLoaderShown(false), LOADER_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isLoaderShown]);
  return (
    <>
      {isLoaderShown && <Loader siteName={boot.siteName} />}
      <PageHead title="Loading demo" lead="Loading, empty and error states." />
      <div className="grid gap-0.5 pt-4 @2xl/content:grid-cols-2 @2xl/content:px-gutter @2xl/content:pt-6 @5xl/content:grid-cols-3">
        <Panel title="Checking your session">
          <div className="grid justify-items-center gap-8 py-6">
            <LoadingMark siteName={boot.siteName} />
            <Button variant="line" onClick={() => setIsLoaderShown(true)}>
              Show full screen
            </Button>
          </div>
        </Panel>
        <Panel title="A mix and related mixes" isWide>
          <StageSkeleton />
          <div className="mt-6">
            <SleevesSkeleton />
          </div>
        </Panel>
        <Panel title="A list" isWide>
          <RowsSkeleton rows={4} />
        </Panel>
        <Panel title="A form">
          <FormSkeleton fields={2} />
        </Panel>
        <Panel title="A waveform" isWide>
          <WaveformSkeleton className="h-24" bars={110} />
        </Panel>
        <Panel title="Sleeves: without a cover in the player, then two examples">
          <div className="flex flex-wrap gap-3">
            <Sleeve week={46} caption="No Cover" className="w-24" />
            <Sleeve week={33} className="w-24" />
            <Sleeve week={13} className="w-24" />
          </div>
        </Panel>
        <Panel title="Nothing yet">
          <EmptyState
            headingLevel={3}
            title="No favorites yet"
            text="Tap the heart on a mix you like and you’ll find it here."
            link={{ href: '/', label: 'Go to Home', variant: 'primary' }}
          />
        </Panel>
        <Panel title="Nothing found">
          <EmptyState
            glyph="nothing"
            headingLevel={3}
            title="No results for “week 61”"
            text="A year has 52 or 53 weeks. Try a smaller number, a genre, or a title."
            link={{ href: '/search', label: 'Clear search' }}
          />
        </Panel>
        <Panel title="Only for subscribers">
          <EmptyState
            glyph="locked"
            headingLevel={3}
            title="Downloads come with Premium"
            text="Subscribers can download every mix as MP3 or FLAC."
            link={{ href: '/pricing', label: 'Upgrade to Premium', variant: 'primary' }}
          />
        </Panel>
        <Panel title="A section that failed" isWide>
          <div className="-mx-gutter -my-8">
            <ErrorFallback key={retries} onRetry={() => setRetries(retries + 1)} />
          </div>
        </Panel>
        <Panel title="Notices">
          <div className="grid gap-2.5">
            <Notice tone="danger" title="You’re offline">
              We’ll retry automatically.
            </Notice>
            <Notice tone="warning" title="Your payment didn’t go through">
              You’ll keep Premium for three more days.
            </Notice>
            <Notice tone="success" title="Changes saved" />
          </div>
        </Panel>
      </div>
    </>
  );
}

type PanelProps = { title: string; isWide?: boolean; children: ReactNode };

function Panel({ title, isWide = false, children }: PanelProps) {
  return (
    <section
      aria-label={title}
      className={`bg-surface px-gutter py-5 @2xl/content:p-6 ${isWide ? '@2xl/content:col-span-2' : ''}`}
    >
      <h2 className="mb-[18px] type-label">{title}</h2>
      {children}
    </section>
  );
}
