import { ApiError, call } from '#web/lib/api/api.ts';
import { outageStore } from '#web/lib/api/outage.ts';
import { CANNOT_PLAY, showToast, toastStore } from '#web/lib/store/toasts.ts';
import type { PlaybackFailure } from '#web/player/machine/events.ts';
import { outageWatch } from './outages.ts';

type Outcome = PlaybackFailure['outcome'];

const outcomes: Record<Exclude<Outcome, 'no-device'>, string> = {
  skipped: 'Skipping to the next mix.',
  stopped: 'It was the last one, so playback has stopped.',
  waiting: 'Your queue is safe. Press play to try again.',
};

/** Names the mixes, and says what happens next. */
export function describeFailures(
  failures: readonly PlaybackFailure[],
  isConnected: boolean,
  isGone = false,
) {
  const titles = [...new Map(failures.map(({ track }) => [track.id, track.title])).values()];
  const last = failures.at(-1)?.outcome ?? 'waiting';
  if (last === 'no-device')
    return {
      title: 'No speakers or headphones found',
      description: 'Connect some, or turn them on, and press play.',
    };
  const outcome = outcomes[last];
  return {
    title: isGone
      ? `${joinTitles(titles)} isn’t available any more.`
      : `We couldn’t play ${joinTitles(titles)}.`,
    description: isConnected ? outcome : `The connection seems to be lost. ${outcome}`,
  };
}

function joinTitles([first = '', second, ...others]: readonly string[]): string {
  if (second === undefined) return first;
  return others.length === 0
    ? `${first} or ${second}`
    : `${first} or the ${others.length + 1} mixes after it`;
}

/**
 * Tracks that fail one after the other are reported together: without a connection the whole queue
 * fails within a moment, and only the last message would be read.
 */
export function createFailureReports(
  check: () => Promise<boolean>,
  show: (failures: readonly PlaybackFailure[], isConnected: boolean) => void,
) {
  let series: PlaybackFailure[] = [];
  let isChecking = false;
  return async function report(failure: PlaybackFailure): Promise<void> {
    series = failure.isAfterFailure || isChecking ? [...series, failure] : [failure];
    if (isChecking) return;
    isChecking = true;
    const isConnected = await check();
    isChecking = false;
    show(series, isConnected);
  };
}

/** An audio element can't tell a missing file from a missing network, but any response can. */
async function checkConnection(): Promise<boolean> {
  if (!navigator.onLine) return false;
  await outageWatch.reportFailedRequest({ outage: 'playing' });
  return outageStore.get() !== 'reaching';
}

/** Somebody may have taken the mix down while it played. */
const isGone = (id: string): Promise<boolean> =>
  call('GET /api/tracks/:id', { params: { id } }).then(
    () => false,
    (error: unknown) => error instanceof ApiError && error.status === 404,
  );

async function showFailures(
  failures: readonly PlaybackFailure[],
  isConnected: boolean,
): Promise<void> {
  const [first, ...others] = new Set(failures.map(({ track }) => track.id));
  const isOneGone =
    isConnected && first !== undefined && others.length === 0 && (await isGone(first));
  showToast({ ...describeFailures(failures, isConnected, isOneGone), variant: 'destructive' });
}

export const reportFailure = createFailureReports(checkConnection, (failures, isConnected) => {
  // The page says that the server is away, and the mix goes on by itself.
  if (outageStore.get() && navigator.onLine && failures.at(-1)?.outcome === 'waiting') return;
  const shown = toastStore.get();
  if (shown?.open && shown.title === CANNOT_PLAY) return;
  void showFailures(failures, isConnected);
});
