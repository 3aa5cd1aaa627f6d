import type { Track } from '#contract/tracks.ts';

type Options = {
  fetchTrack(id: string): Promise<Track>;
  deliver(track: Track): void;
  log(message: string, cause: unknown): void;
};

/**
 * Fetches tracks again, one at a time and in the requested order. A track that is requested again
 * while its response is on the way is fetched again: the user's access may have changed.
 */
export function createTrackRefresher({ fetchTrack, deliver, log }: Options) {
  const waiting = new Map<string, Track>();
  let isRunning = false;

  async function refresh(track: Track): Promise<void> {
    try {
      const fresh = await fetchTrack(track.id);
      if (!waiting.has(track.id)) deliver(fresh);
    } catch (cause) {
      log(`Could not refresh ${track.title}`, cause);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    for (const [id, track] of waiting) {
      waiting.delete(id);
      await refresh(track);
    }
    isRunning = false;
  }

  return function request(tracks: readonly Track[]): void {
    for (const track of tracks) waiting.set(track.id, track);
    if (!isRunning) void run();
  };
}
