import { useInfiniteQuery } from '@tanstack/react-query';
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Moment } from '#contract/moments.ts';
import { formatDuration } from '#contract/rules/time.ts';
import type { Track } from '#contract/tracks.ts';
import { useUpgradePath } from '#web/lib/location/use-next.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { findInFile } from '#web/player/find-in-file.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { useTrackPlayback } from '#web/player/view/use-track-playback.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Pencil, Trash2 } from '#web/ui/icons.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { momentPagesQuery, useMarks, useMomentActions } from './api.ts';
import { MomentForm } from './moment-form.tsx';

/** All lines of a mix in their order, also for screen readers. */
export function MomentList({ track }: { track: Track }) {
  const { data: marks } = useMarks(track.id);
  const [from, setFrom] = useState(0);
  const query = useInfiniteQuery(momentPagesQuery(track.id, from));
  if (marks && !marks.isOn) return null;
  return (
    <section
      aria-labelledby="moments"
      data-week={track.weekNumber}
      className="px-gutter pt-10 [&>*]:max-w-[1100px]"
    >
      <div className="mb-2.5 flex min-h-11 flex-wrap items-center justify-between gap-x-6">
        <h2 id="moments" className="type-section">
          Moments
        </h2>
        <FromHere track={track} from={from} onChange={setFrom} />
      </div>
      <Loaded
        query={query}
        failed="Couldn’t load the moments."
        look="line"
        skeleton={<PanelRowsSkeleton rows={3} />}
      >
        {({ pages }) => {
          const moments = pages.flatMap(({ items }) => items);
          return (
            <>
              {moments.length > 0 && (
                <Rows track={track} moments={moments} isComplete={!query.hasNextPage} />
              )}
              {query.hasNextPage && (
                <Button
                  variant="line"
                  className="mt-4"
                  aria-disabled={query.isFetchingNextPage}
                  onClick={() => query.isFetchingNextPage || void query.fetchNextPage()}
                >
                  {query.isFetchingNextPage ? 'Loading more…' : 'Show more'}
                </Button>
              )}
              {query.isFetchNextPageError && (
                <p role="alert" className="mt-2 text-text-2">
                  Couldn’t load more. Check your connection and try again.
                </p>
              )}
              <Lead
                isEmpty={moments.length === 0}
                isWhole={from === 0}
                obstacle={marks?.obstacle ?? null}
              />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

type LeadProps = {
  isEmpty: boolean;
  isWhole: boolean;
  obstacle: 'premium' | 'banned' | null;
};

/** What this is, if there is nothing to see yet, and who can write. */
function Lead({ isEmpty, isWhole, obstacle }: LeadProps) {
  const upgradePath = useUpgradePath();
  const empty = isWhole ? 'No moments yet.' : 'No moments from here on.';
  if (obstacle === 'premium')
    return (
      <p className="mt-3 text-text-2">
        {isEmpty && `${empty} `}Premium members leave one line at a second they like.{' '}
        <Link href={upgradePath} className="underline underline-offset-4">
          Upgrade to Premium
        </Link>
      </p>
    );
  if (obstacle === 'banned')
    return (
      <p className="mt-3 text-text-2">{isEmpty && `${empty} `}You can’t leave moments here.</p>
    );
  if (!isEmpty) return null;
  return (
    <p className="text-text-2">
      {empty} Play the mix and leave one line at a second you like: others see it pass.
    </p>
  );
}

type FromHereProps = { track: Track; from: number; onChange: (from: number) => void };

/** A mix with thousands of lines is long: this goes to where the music is. */
function FromHere({ track, from, onChange }: FromHereProps) {
  const player = usePlayer();
  const canJump = usePlayerState(
    ({ currentTrack, currentTime }) =>
      currentTrack?.id === track.id && currentTrack.access === 'full' && currentTime >= 1,
  );
  if (from > 0)
    return (
      <Button variant="quiet" size="sm" onClick={() => onChange(0)}>
        From {formatDuration(from)}. Show all
      </Button>
    );
  if (!canJump) return null;
  return (
    <Button
      variant="quiet"
      size="sm"
      onClick={() => onChange(Math.floor(player.store.get().currentTime))}
    >
      Show from here on
    </Button>
  );
}

type RowsProps = { track: Track; moments: readonly Moment[]; isComplete: boolean };

const ROW_HEIGHT = 49;
const OVERSCAN = 8;

/** Only those in view are on the page, and the one that somebody uses. */
function Rows({ track, moments, isComplete }: RowsProps) {
  const list = useRef<HTMLOListElement>(null);
  const [offset, setOffset] = useState(0);
  const [used, setUsed] = useState<number | null>(null);
  useLayoutEffect(() => {
    const measure = () => {
      const top = list.current?.getBoundingClientRect().top ?? 0;
      setOffset(Math.round(top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = list.current;
    const onFocus = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest('li') : null;
      if (row) setUsed(Number(row.dataset.index));
    };
    element?.addEventListener('focusin', onFocus);
    return () => element?.removeEventListener('focusin', onFocus);
  }, []);
  // eslint-disable-next-line react/incompatible-library -- nothing here is memoised
  const virtualizer = useWindowVirtualizer({
    count: moments.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: offset,
    getItemKey: (index) => moments[index]?.id ?? index,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      const isElsewhere = used !== null && used < moments.length && !shown.includes(used);
      return isElsewhere ? [...shown, used].toSorted((a, b) => a - b) : shown;
    },
  });
  return (
    <ol
      ref={list}
      aria-labelledby="moments"
      className="relative"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const moment = moments[index];
        if (!moment) return null;
        return (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            aria-setsize={isComplete ? moments.length : -1}
            aria-posinset={index + 1}
            className="absolute inset-x-0 top-0 border-t border-line"
            style={{ transform: `translateY(${start - offset}px)` }}
          >
            <Row track={track} moment={moment} />
          </li>
        );
      })}
    </ol>
  );
}

function Row({ track, moment }: { track: Track; moment: Moment }) {
  const { at, text, username, own } = moment;
  const { playFrom } = useTrackPlayback(track, () => [track]);
  const { change } = useMomentActions(track.id);
  const [isEditing, setEditing] = useState(false);
  const start = findInFile(at, track);
  const time = formatDuration(at);
  if (isEditing)
    return (
      <div className="py-3">
        <MomentForm
          at={at}
          text={text}
          onSubmit={(line) => change(moment.id, line)}
          onClose={() => setEditing(false)}
        />
      </div>
    );
  return (
    <div className="grid min-h-12 grid-cols-[64px_minmax(0,1fr)_auto] items-center">
      {start === null ? (
        <span className="tabular text-text-3">{time}</span>
      ) : (
        <button
          type="button"
          aria-label={`Play from ${time}`}
          onClick={() => playFrom(start)}
          className="min-h-11 justify-self-start tabular text-text-2 underline decoration-line-strong underline-offset-4 hover:text-text"
        >
          {time}
        </button>
      )}
      <span className="min-w-0 py-2 wrap-anywhere">
        <bdi className="font-medium">{text}</bdi>{' '}
        <span className="type-meta">
          <span className="sr-only">by </span>
          {own ? 'you' : username}
        </span>
        {own?.isHidden && (
          <>
            {' '}
            <Tag>Hidden by the site</Tag>
          </>
        )}
      </span>
      {own && <OwnActions track={track} moment={moment} onEdit={() => setEditing(true)} />}
    </div>
  );
}

type OwnActionsProps = { track: Track; moment: Moment; onEdit: () => void };

function OwnActions({ track, moment, onEdit }: OwnActionsProps) {
  const { id, at, text, own } = moment;
  const { leave, remove } = useMomentActions(track.id);
  const time = formatDuration(at);
  const isHidden = own?.isHidden ?? false;
  async function onDelete(): Promise<void> {
    try {
      await remove(id);
      showToast({
        title: 'Moment deleted',
        // One that was hidden doesn't come back by itself.
        ...(!isHidden && { undo: { run: () => leave(at, text), plural: 'moments deleted' } }),
      });
    } catch (error) {
      showErrorToast(error, 'Couldn’t delete your moment. Check your connection and try again.');
    }
  }
  return (
    <span className="flex">
      {(own?.editableMs ?? 0) > 0 && (
        <IconButton label={`Change your moment at ${time}`} onClick={onEdit}>
          <Pencil />
        </IconButton>
      )}
      <IconButton label={`Delete your moment at ${time}`} onClick={() => void onDelete()}>
        <Trash2 />
      </IconButton>
    </span>
  );
}
