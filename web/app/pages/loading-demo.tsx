import { useEffect, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { boot } from '#web/lib/boot.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorFallback } from '#web/ui/error-fallback.tsx';
import { Loader, LoadingMark } from '#web/ui/loader.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import {
  FormSkeleton,
  RowsSkeleton,
  SleevesSkeleton,
  StageSkeleton,
  WaveformSkeleton,
} from '#web/ui/skeleton.tsx';
import { NoCover, Sleeve } from '#web/ui/art/sleeve.tsx';

const LOADER_SHOWN_MS = 3000;

/** Every way of waiting, having nothing and failing, each once. */
export function LoadingDemoPage() {
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
      <PageHead
        title="Loading demo"
        lead="What you see while something is on its way, when there is nothing yet, and when something fails."
      />
      <div className="grid gap-0.5 pt-4 md:px-gutter md:pt-6 lg:grid-cols-2 xl:grid-cols-3">
        <Panel title="While you are being recognised">
          <div className="grid justify-items-center gap-8 py-6">
            <LoadingMark siteName={boot.siteName} />
            <Button variant="line" onClick={() => setIsLoaderShown(true)}>
              Show it full screen
            </Button>
          </div>
        </Panel>
        <Panel title="A mix and its neighbours" isWide>
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
        <Panel title="Sleeves: nothing loaded, then two of the year">
          <div className="flex gap-3">
            <NoCover className="w-24" />
            <Sleeve week={33} className="w-24" />
            <Sleeve week={13} className="w-24" />
          </div>
        </Panel>
        <Panel title="Nothing yet">
          <EmptyState
            headingLevel={3}
            title="No favorites yet"
            action={
              <Link href="/" className={buttonClass()}>
                Go to Home
              </Link>
            }
          >
            Tap the heart on any mix and it lands here, sorted by week.
          </EmptyState>
        </Panel>
        <Panel title="Nothing found">
          <EmptyState
            glyph="nothing"
            headingLevel={3}
            title="Nothing for “week 61”"
            action={
              <Link href="/search" className={buttonClass({ variant: 'line' })}>
                Clear search
              </Link>
            }
          >
            A year has 52 or 53 weeks. Try a smaller number, a genre, or a title.
          </EmptyState>
        </Panel>
        <Panel title="Only for subscribers">
          <EmptyState
            glyph="locked"
            headingLevel={3}
            title="Downloads are Premium"
            action={
              <Link href="/pricing" className={buttonClass()}>
                Upgrade to Premium
              </Link>
            }
          >
            Subscribers keep copies of every week.
          </EmptyState>
        </Panel>
        <Panel title="A section that failed" isWide>
          <div className="-mx-gutter -my-8">
            <ErrorFallback key={retries} onRetry={() => setRetries(retries + 1)} />
          </div>
        </Panel>
        <Panel title="Notices">
          <div className="grid gap-2.5">
            <Notice tone="danger" title="You are offline">
              We will try again by ourselves.
            </Notice>
            <Notice tone="warning" title="Your payment did not go through">
              Premium stays on for three more days.
            </Notice>
            <Notice tone="success" title="Your changes are saved" />
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
      className={`bg-surface px-gutter py-5 md:p-6 ${isWide ? 'lg:col-span-2' : ''}`}
    >
      <h2 className="mb-[18px] type-label">{title}</h2>
      {children}
    </section>
  );
}
