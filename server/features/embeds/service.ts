import type { EmbedTheme } from '#contract/rules/embed.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { etagOf } from '../../http/pages/sent-page.ts';
import { compressGzip } from '../../background/compress.ts';
import { readLook } from '../look/service.ts';
import { isPossibleId } from '../public-pages/service.ts';
import { getTrackDetail, getVisiblePeaks, readFactFor } from '../tracks/service.ts';
import { buildEmbedPage, buildMissingEmbed, type EmbedPage } from './embed-page.ts';
import { buildOembed, parseTrackUrl, type Oembed, type OembedQuery } from './oembed.ts';

/** A page as it is sent. */
export type SentEmbed = EmbedPage & { gzipped: Buffer; etag: string };

const toSent = async (page: EmbedPage): Promise<SentEmbed> => ({
  ...page,
  gzipped: await compressGzip(page.html),
  etag: etagOf(page.html),
});

const siteOf = (deps: Deps) => ({
  ...readLook(deps),
  origin: deps.site.origin,
  store: deps.config.cdnUrl ?? deps.config.s3?.endpoint,
});

/** What visitors may not hear is not found, whatever the reason. */
async function getPublicTrack(deps: Deps, id: string) {
  if (!isPossibleId(id)) throw new AppError('not_found');
  return getTrackDetail(deps, null, id).catch((error: unknown) => {
    throw error instanceof AppError ? new AppError('not_found') : error;
  });
}

/** Kept for as long as the catalogue is the same: one version of a page for everyone. */
export async function findEmbed(
  deps: Deps,
  id: string,
  theme: EmbedTheme,
): Promise<SentEmbed | null> {
  const site = siteOf(deps);
  const key = `embed:${JSON.stringify([site, id, theme])}`;
  const build = async () => {
    const track = await getPublicTrack(deps, id);
    const { peaks } = await getVisiblePeaks(deps, null, id);
    return toSent(buildEmbedPage(track, peaks, site, theme));
  };
  return readFactFor(deps, null, key, build).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  });
}

export const getMissingEmbed = (deps: Deps): Promise<SentEmbed> =>
  toSent(buildMissingEmbed(siteOf(deps)));

export async function getOembed(deps: Deps, query: OembedQuery): Promise<Oembed> {
  const { origin } = deps.site;
  const track = await getPublicTrack(deps, parseTrackUrl(origin, query.url));
  return buildOembed(track, { ...readLook(deps), origin }, query);
}
