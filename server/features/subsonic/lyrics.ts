import type { Chapter, Track } from '#contract/tracks.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { searchTracks } from '../search/service.ts';
import { getTrackDetail } from '../tracks/service.ts';
import type { Part } from './answer.ts';
import { getItem } from './browsing.ts';
import type { CallContext, Calls } from './call.ts';
import { listArtistParts } from './track-items.ts';

const nameChapter = ({ artist, title }: Chapter): string =>
  artist ? `${artist} – ${title}` : title;

type Line = { start?: number; value: string };

/**
 * The chapters with a time, in milliseconds of the file that the viewer hears: of a preview, those that
 * can be heard in it.
 */
function listTimedLines(track: Track, chapters: readonly Chapter[]): Line[] {
  const timed = chapters
    .flatMap((chapter) => (chapter.at === null ? [] : [{ at: chapter.at, chapter }]))
    .toSorted((a, b) => a.at - b.at);
  const toLine = (seconds: number, chapter: Chapter) => ({
    start: Math.round(seconds * 1000),
    value: nameChapter(chapter),
  });
  if (track.access === 'full') return timed.map(({ at, chapter }) => toLine(at, chapter));
  const { previewStart } = track;
  return timed.flatMap(({ at, chapter }, index) => {
    const end = timed[index + 1]?.at ?? Infinity;
    const isHeard = at < previewStart + PREVIEW_SECONDS && end > previewStart;
    return isHeard ? [toLine(Math.max(0, at - previewStart), chapter)] : [];
  });
}

const loadChapters = async ({ deps, viewer }: CallContext, id: string): Promise<Chapter[]> =>
  (await getTrackDetail(deps, viewer, id)).chapters;

/** The tracklist: an app that shows lyrics then shows which track of the mix is playing. */
async function getLyricsBySongId(context: CallContext): Promise<Part> {
  const { track } = await getItem(context, context.params.id());
  const chapters = await loadChapters(context, track.id);
  const named = {
    lang: 'und',
    displayArtist: listArtistParts(context, track)
      .map(({ name }) => name)
      .join(', '),
    displayTitle: track.title,
  };
  const timed = listTimedLines(track, chapters);
  const hasUntimed = chapters.some(({ at }) => at === null);
  const all = chapters.map((chapter) => ({ value: nameChapter(chapter) }));
  return {
    lyricsList: {
      structuredLyrics: [
        ...(timed.length > 0 ? [{ ...named, synced: true, offset: 0, line: timed }] : []),
        // Some or all of them wait for a time.
        ...(hasUntimed ? [{ ...named, synced: false, line: all }] : []),
      ],
    },
  };
}

/** The same as plain text, for older apps, which know only names. */
async function getLyrics(context: CallContext): Promise<Part> {
  const { deps, viewer, params } = context;
  const title = (params.find('title') ?? '').trim();
  const found = title ? await searchTracks(deps, viewer, { q: title, limit: 5 }) : null;
  const same = title.toLowerCase();
  const track = found?.items.find((item) => item.title.toLowerCase() === same);
  if (!track) return { lyrics: { value: '' } };
  const chapters = await loadChapters(context, track.id);
  const [artist] = listArtistParts(context, track);
  const value = chapters.map(nameChapter).join('\n');
  return { lyrics: { artist: artist?.name, title: track.title, value } };
}

export const lyricsCalls: Calls = { getLyricsBySongId, getLyrics };
