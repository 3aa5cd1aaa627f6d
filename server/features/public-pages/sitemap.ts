import { PUBLIC_PATHS } from '#contract/page-paths.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';
import { compressGzip } from '../../background/compress.ts';
import { listVisibleArtists } from '../artists/service.ts';
import { listLetterPaths } from '../letters/service.ts';
import { readFactFor } from '../tracks/service.ts';
import { countSitemapTracks, listSitemapTracks, type SitemapTrack } from './queries.ts';

/** Search engines read up to 50,000 addresses in a file; reading fewer at once blocks nobody. */
export const MAX_TRACKS = 5_000;
/** Search engines read up to 50,000 files of an index. */
const MAX_PARTS = 50_000;

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Login and registration are for people who are here already. */
const pages = PUBLIC_PATHS.filter((path) => path !== '/login' && path !== '/register');

/** These pages show the newest track. */
const CHANGING = ['/', '/landing'];

function buildPageEntry(origin: string, path: string, lastRelease: number): string {
  const isDated = lastRelease > 0 && CHANGING.includes(path);
  const day = isDated ? `<lastmod>${toDay(lastRelease)}</lastmod>` : '';
  return `<url><loc>${escapeHtml(origin + path)}</loc>${day}</url>`;
}

const buildFile = (root: 'urlset' | 'sitemapindex', lines: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join('\n')}\n</${root}>\n`;

function buildTrackEntry(origin: string, { id, publish_at, updated_at }: SitemapTrack): string {
  const url = escapeHtml(`${origin}/track/${encodeURIComponent(id)}`);
  const day = toDay(Math.max(publish_at ?? 0, updated_at));
  return `<url><loc>${url}</loc><lastmod>${day}</lastmod></url>`;
}

const buildArtistEntry = (origin: string, id: string): string =>
  `<url><loc>${escapeHtml(`${origin}/artist/${encodeURIComponent(id)}`)}</loc></url>`;

/**
 * The sitemap of a small site. Otherwise the index of its parts, which are at the same address with a
 * number. Kept compressed for as long as the catalogue is the same.
 */
export async function getSitemap(deps: Deps, part: number | null): Promise<Buffer> {
  const { db } = deps.database;
  const { origin } = deps.site;
  const { about } = deps.config.look;
  const letters = part === null || part === 1 ? await listLetterPaths(deps) : [];
  const key = `sitemap:${JSON.stringify([origin, part, about, letters])}`;
  return readFactFor(deps, null, key, async (visibility) => {
    const count = await countSitemapTracks(db, visibility);
    const parts = Math.min(MAX_PARTS, Math.ceil(count / MAX_TRACKS));
    if (part !== null && (parts < 2 || part > parts)) throw new AppError('not_found');
    if (part === null && parts > 1) {
      const lines = Array.from({ length: parts }, (_, index) => {
        const url = escapeHtml(`${origin}/sitemap.xml?part=${index + 1}`);
        return `<sitemap><loc>${url}</loc></sitemap>`;
      });
      return compressGzip(buildFile('sitemapindex', lines));
    }
    const offset = ((part ?? 1) - 1) * MAX_TRACKS;
    const tracks = await listSitemapTracks(db, visibility, { limit: MAX_TRACKS, offset });
    const isFirst = offset === 0;
    const artists = isFirst ? await listVisibleArtists(deps, null) : [];
    const lines = [
      ...(isFirst ? pages.map((path) => buildPageEntry(origin, path, visibility.publishedBy)) : []),
      ...(isFirst && about === 'everyone' ? [buildPageEntry(origin, '/about', 0)] : []),
      ...letters.map((path) => buildPageEntry(origin, path, 0)),
      ...artists.map(({ id }) => buildArtistEntry(origin, id)),
      ...tracks.map((track) => buildTrackEntry(origin, track)),
    ];
    return compressGzip(buildFile('urlset', lines));
  });
}
