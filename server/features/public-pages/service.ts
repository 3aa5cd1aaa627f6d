import { cleanPath } from '#contract/page-paths.ts';
import type { SiteLook } from '#contract/look.ts';
import { findSharedSubject } from '#contract/rules/shared-links.ts';
import { weekOf, type WeekOfYear } from '#contract/rules/weeks.ts';
import { parseYear } from '#contract/rules/year.ts';
import type { TrackDetail } from '#contract/tracks.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { CardLink, Site } from '../../http/pages/page-head.ts';
import type { FoundHead } from '../../http/pages/web-app.ts';
import { getArtist } from '../artists/service.ts';
import { getPlans } from '../billing/subscriptions/service.ts';
import { getChart } from '../charts/service.ts';
import { getAbout, readLook } from '../look/service.ts';
import { findLegalPage } from '../legal/service.ts';
import { findLetterHead } from '../letters/service.ts';
import { isPlaylistShared } from '../playlists/service.ts';
import { countPublished, getTrackDetail, listVisibleTracks } from '../tracks/service.ts';
import { buildArtistHead } from './artist-head.ts';
import { buildAboutHead, buildSiteHead, isSitePath, siteCard } from './site-heads.ts';
import { cardLookOf, toCardPath, type ClipCard } from './card-pictures.ts';
import { CLIP_LAYOUTS, clipPictures, type ClipShape } from './draw-clip.ts';
import { drawInProcess } from './draw-in-process.ts';
import type { CardWeek } from './draw-poster.ts';
import { drawText, measure } from './letters.ts';
import { buildTrackHead, cardOf } from './track-head.ts';

export { cardLookOf } from './card-pictures.ts';
export type { CardYear } from './draw-year.ts';
export { drawCard, keepCards, sendPicture } from './send-picture.ts';

const siteOf = (deps: Deps): Site => ({ ...readLook(deps), origin: deps.site.origin });

/** PostgreSQL can't compare a text that contains a NUL. */
export const isPossibleId = (id: string): boolean => id !== '' && !id.includes('\0');

/** A track that exists, but not for visitors, is unlisted only if the API says that it exists. */
async function findTrackHead(deps: Deps, id: string): Promise<FoundHead> {
  try {
    return buildTrackHead(await getTrackDetail(deps, null, id), siteOf(deps));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === 'subscribers_only' ? null : 'missing';
  }
}

const HEAD_TRACKS = 20;

/** An artist as visitors see them, with their newest mixes. */
export async function getPublicArtist(deps: Deps, id: string) {
  const artist = await getArtist(deps, null, id);
  const newest = { artist: artist.id, limit: HEAD_TRACKS };
  const { items } = await listVisibleTracks(deps, null, newest);
  return { artist, tracks: items };
}

async function findArtistHead(deps: Deps, id: string): Promise<FoundHead> {
  try {
    const { artist, tracks } = await getPublicArtist(deps, id);
    return buildArtistHead(artist, tracks, siteOf(deps));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === 'subscribers_only' ? null : 'missing';
  }
}

async function findAboutHead(deps: Deps): Promise<FoundHead> {
  const site = siteOf(deps);
  if (site.about === null) return 'missing';
  return site.about === 'everyone' ? buildAboutHead(await getAbout(deps, null), site) : null;
}

async function findLetterPage(deps: Deps, encoded: string | undefined): Promise<FoundHead> {
  const id = encoded === undefined ? null : decodeId(encoded);
  if (encoded !== undefined && id === null) return 'missing';
  return findLetterHead(deps, id, siteCard(readLook(deps)));
}

/** Whether a year has begun, and has a mix that at least subscribers see. */
async function hasMixes(deps: Deps, encoded: string): Promise<boolean> {
  const year = parseYear(encoded);
  if (year === null || year > weekOf(deps.clock.now(), deps.config.timeZone).year) return false;
  return (await countPublished(deps)).some((counted) => counted.year === year);
}

/** What search engines and link previews may know of a page: what visitors may. */
export async function findPublicPage(deps: Deps, address: string): Promise<FoundHead> {
  const path = cleanPath(address);
  const subject = findSharedSubject(path);
  if (subject?.kind === 'track') return findTrackHead(deps, subject.id);
  if (subject?.kind === 'artist') return findArtistHead(deps, subject.id);
  if (subject) return (await isPlaylistShared(deps, subject.id)) ? null : 'missing';
  if (/^\/(?:track|artist|shared)\//i.test(path)) return 'missing';
  const [, year] = /^\/year\/([^/]+)$/i.exec(path) ?? [];
  if (year !== undefined) return (await hasMixes(deps, year)) ? null : 'missing';
  if (/^\/about$/i.test(path)) return findAboutHead(deps);
  const [isLetter, letter] = /^\/letters(?:\/([^/]+))?$/i.exec(path) ?? [];
  if (isLetter) return findLetterPage(deps, letter);
  if (!isSitePath(path)) return findLegalPage(deps, path, siteCard(readLook(deps)));
  return buildSiteHead(path, siteOf(deps), {
    getChart: () => getChart(deps, null, {}),
    getPlans: () => getPlans(deps),
  });
}

const MAX_ID = 200;
const MAX_WEEK_TITLES = 20;

function decodeId(encoded: string): string | null {
  try {
    const id = decodeURIComponent(encoded);
    return isPossibleId(id) && id.length <= MAX_ID ? id : null;
  } catch {
    return null;
  }
}

/** A week as its picture shows it. Without a mix that everyone may see there is none. */
export async function getCardWeek(deps: Deps, week: WeekOfYear): Promise<CardWeek> {
  const { items } = await listVisibleTracks(deps, null, { ...week, limit: MAX_WEEK_TITLES });
  if (items.length === 0) throw new AppError('not_found');
  return { ...week, titles: items.map(({ title }) => title) };
}

/** For other features: the picture of links to a track. */
export const findCardPath = (track: TrackDetail, look: SiteLook): string =>
  toCardPath(cardOf(track, look));

/** For other features: the picture of links about a track, or of the site if not everyone may see it. */
export async function findTrackCard(deps: Deps, id: string): Promise<CardLink> {
  const look = readLook(deps);
  try {
    const track = await getTrackDetail(deps, null, id);
    return { path: findCardPath(track, look), alt: `Cover of ${track.title}` };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return siteCard(look);
  }
}

/** For other features: the number of a week in the display font, as an SVG in the text’s colour. */
export function drawNumeral(week: number, className: string): string {
  const style = { capHeight: 100, isNumeral: true };
  const width = Math.ceil(measure(String(week), style));
  const drawing = drawText(String(week), { ...style, x: 0, y: 100, fill: 'inherit' });
  return `<svg class="${className}" viewBox="0 0 ${width} 100" aria-hidden="true">${drawing}</svg>`;
}

export { CLIP_LAYOUTS, clipPictures, type ClipShape };

/** For other features: draws the pictures of a clip into its folder, as `clipPictures` names them. */
export const drawClip = async (
  { config, storage }: Pick<Deps, 'config' | 'storage'>,
  clip: Omit<ClipCard, 'kind' | 'look'>,
  signal: AbortSignal,
): Promise<void> => {
  const look = cardLookOf(readLook({ config }));
  await drawInProcess({ kind: 'clip', look, ...clip }, storage, signal);
};
