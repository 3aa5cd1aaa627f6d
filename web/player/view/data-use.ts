import { describePlay, estimateBytes, findPlayedBytes } from '#contract/rules/data-use.ts';
import { readMetering } from '#contract/rules/connection.ts';
import { isSmallFile, pickFile } from '#contract/rules/pick-file.ts';
import { playableSeconds } from '#contract/rules/preview.ts';
import type { Track } from '#contract/tracks.ts';
import { boot } from '#web/lib/store/boot.ts';
import { addDataUse } from '#web/offline/store/data-use.ts';
import { isPlayedFromDevice } from '#web/offline/store/playable-file.ts';
import type { Player } from '#web/player/create-player.ts';
import {
  interrupt,
  newListeningClock,
  tick,
  type ListeningClock,
} from '#web/player/session/play-reports.ts';
import { explainDataSaver } from './explain-data-saver.ts';
import { monthOf } from './month.ts';

/** What Play uses on this device: nothing if the mix is saved here. */
export async function describeDataHere(track: Track, isDataSaver: boolean): Promise<string> {
  const isSaved =
    track.access === 'full' &&
    (await isPlayedFromDevice(caches, track.id, pickFile(track, isDataSaver).url).catch(
      () => false,
    ));
  return isSaved
    ? 'Saved on this device: uses no data'
    : describePlay(track, { isDataSaver, dataPrice: boot.dataPrice });
}

/** Often enough that a killed browser loses little. */
const WRITE_SECONDS = 10;

/** Bytes of a second of the file that plays. */
function findRate(track: Track, isDataSaver: boolean): number {
  const seconds = playableSeconds(track.duration, track.access === 'full');
  return seconds > 0 ? findPlayedBytes(track, isDataSaver) / seconds : estimateBytes('stream', 1);
}

let isMeasuring = false;

/**
 * Counts what listening uses on this device, from the seconds that were heard: browsers tell nobody
 * how many bytes of audio they load. Call it when playback starts; one page measures once.
 */
export function measureListening(player: Player): void {
  explainDataSaver(player);
  if (isMeasuring) return;
  isMeasuring = true;
  let clock: ListeningClock = newListeningClock;
  /** Nothing while a saved mix plays. */
  let rate: Promise<number> = startLoad(player.store.get().currentTrack);
  let written = 0;

  async function startLoad(track: Track | null): Promise<number> {
    if (!track) return 0;
    const { isDataSaver, fileUrl } = player.store.get();
    const url = fileUrl ?? pickFile(track, isDataSaver).url;
    const isFromDevice = await isPlayedFromDevice(caches, track.id, url);
    return isFromDevice ? 0 : findRate(track, isSmallFile(url));
  }

  function write(): void {
    const seconds = clock.listenedSeconds - written;
    if (seconds <= 0) return;
    written = clock.listenedSeconds;
    const now = Date.now();
    const isUnmetered = readMetering(navigator) === 'unmetered';
    void rate
      .then((bytes) =>
        bytes === 0
          ? undefined
          : addDataUse(caches, {
              month: monthOf(now),
              kind: 'streamed',
              bytes: Math.round(seconds * bytes),
              isUnmetered,
            }),
      )
      // Without storage there is nothing to count with.
      .catch(() => undefined);
  }

  player.listeningEvents.subscribe((event) => {
    if (event.type === 'progress') {
      clock = tick(clock, Date.now(), event.time);
      if (clock.listenedSeconds - written >= WRITE_SECONDS) write();
      return;
    }
    clock = interrupt(clock);
    write();
    // A pause may end with another file.
    if (event.type === 'started') rate = startLoad(event.track);
  });
  window.addEventListener('pagehide', write);
}
