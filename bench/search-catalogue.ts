import { buildTrack } from '#server/db/build-rows.ts';
import { createRandom } from '#contract/rules/random.ts';
import type { Database } from '#server/db/connect.ts';
import type { TracksTable } from '#server/db/types/tables.ts';
import { indexTrack } from '#server/features/search/service.ts';
import { HOUR } from '#contract/rules/time.ts';

const SYLLABLES =
  'ba be bo da de di fa go ha ka ke ki la le li lo ma me mo mu na ne no ra ri ro sa se si so ta ti to tu va wa ya za zo sha nge thu mbe ntsi kwa hle'.split(
    ' ',
  );
const GENRES =
  'Amapiano,Afro House,Deep House,Gqom,Kwaito,Techno,Lo-Fi House,Broken Beat,Drum & Bass,Ambient,Singeli,Afro Tech'.split(
    ',',
  );
const VOCABULARY = 20_000;
const FIRST_YEAR = 1990;
const WEEKS = 36 * 52;
const CHAPTERS = 10;
const PER_TRANSACTION = 500;

type Random = () => number;

function pick<T>(random: Random, all: readonly T[]): T {
  const picked = all[Math.floor(random() * all.length)];
  if (picked === undefined) throw new Error('There is nothing to pick from.');
  return picked;
}

function inventWords(random: Random): string[] {
  const words = new Set<string>();
  while (words.size < VOCABULARY) {
    const length = 2 + Math.floor(random() * 3);
    words.add(Array.from({ length }, () => pick(random, SYLLABLES)).join(''));
  }
  return [...words];
}

export type BenchTrack = TracksTable & { chapter: { artist: string; title: string } };

/** A catalogue with a realistic distribution of words: a few everywhere, most of them rare. */
export function* inventCatalogue(size: number): Generator<BenchTrack> {
  const random = createRandom(46);
  const vocabulary = inventWords(random);
  const word = () => vocabulary[Math.floor(VOCABULARY * random() ** 3)] ?? '';
  const phrase = (length: number) => Array.from({ length }, word).join(' ');
  for (let n = 0; n < size; n++) {
    const title = phrase(2 + Math.floor(random() * 2));
    const chapters = Array.from({ length: CHAPTERS }, (_, i) => ({
      at: i * 360,
      artist: phrase(2),
      title: phrase(2),
    }));
    const at = Math.floor(random() * WEEKS);
    const track = buildTrack({
      id: `bench-${String(n).padStart(6, '0')}`,
      title,
      year: FIRST_YEAR + Math.floor(at / 52),
      week: 1 + (at % 52),
      description: phrase(20),
      genre: pick(random, GENRES),
      bpm: 120,
      duration_ms: HOUR,
      chapters: JSON.stringify(chapters),
      preview_start_ms: 0,
      status: 'ready',
      progress: 100,
      publish_at: 0,
      announced_at: 0,
      created_at: 0,
    });
    yield { ...track, chapter: pick(random, chapters) };
  }
}

/** Writes tracks, what there is to play of them and the search index. */
export async function writeCatalogue(
  { db, dialect }: Database,
  tracks: readonly BenchTrack[],
): Promise<void> {
  for (let i = 0; i < tracks.length; i += PER_TRANSACTION)
    await db.transaction().execute(async (tx) => {
      for (const { chapter: _, ...track } of tracks.slice(i, i + PER_TRANSACTION)) {
        await tx.insertInto('tracks').values(track).execute();
        const file = { track_id: track.id, size: 1, media_type: 'audio/mpeg' };
        await tx
          .insertInto('renditions')
          .values([
            { ...file, name: 'stream', key: `tracks/${track.id}-stream` },
            { ...file, name: 'preview', key: `tracks/${track.id}-preview` },
          ])
          .execute();
        await indexTrack(tx, dialect, track);
      }
    });
}

function mistype(random: Random, word: string): string {
  const i = 1 + Math.floor(random() * (word.length - 2));
  return random() < 0.5
    ? word.slice(0, i) + word.slice(i + 1)
    : word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2);
}

/** Queries as people type them: titles, prefixes, genres, weeks and chapters, with typos, and some nonsense. */
export function inventQueries(tracks: readonly BenchTrack[], count: number): string[] {
  const random = createRandom(12);
  return Array.from({ length: count }, (_, n) => {
    const { title, week, year, chapter } = pick(random, tracks);
    const [first = ''] = title.split(' ');
    const kinds = [
      () => title,
      () => first,
      () => first.slice(0, 1 + Math.floor(random() * 5)),
      () => title.slice(0, -2),
      () => pick(random, GENRES).toLowerCase(),
      () => `${pick(random, GENRES)} ${first}`,
      () => `week ${week}`,
      () => `w${week} ${year}`,
      () => chapter.artist,
      () => `${chapter.artist} ${chapter.title}`,
      () => mistype(random, first),
      () =>
        title
          .split(' ')
          .map((part) => mistype(random, part))
          .join(' '),
      () => mistype(random, pick(random, GENRES).toLowerCase()),
      () => mistype(random, first).slice(0, 5),
      () => `xq${first}zz`,
    ];
    return kinds[n % kinds.length]?.() ?? title;
  });
}
