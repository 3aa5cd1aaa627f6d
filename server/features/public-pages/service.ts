import { cleanPath } from '#contract/page-paths.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { PageHead, Site } from '../../http/pages/page-head.ts';
import type { FoundHead } from '../../http/pages/web-app.ts';
import { getPlans } from '../billing/subscription/service.ts';
import { getChart } from '../charts/service.ts';
import { findLegalPage } from '../legal/service.ts';
import { isPlaylistShared } from '../playlists/service.ts';
import { getTrackDetail } from '../tracks/service.ts';
import { buildSiteHead, isSitePath, siteCard } from './site-heads.ts';
import { buildTrackHead } from './track-head.ts';

const siteOf = ({ site, config }: Deps): Site => ({
  origin: site.origin,
  siteName: config.siteName,
});

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

/** What search engines and link previews may know of a page: what visitors may. */
export async function findPublicPage(deps: Deps, address: string): Promise<FoundHead> {
  const path = cleanPath(address);
  const [, kind, encoded = ''] = /^\/(track|shared)\/([^/]+)$/i.exec(path) ?? [];
  if (kind) {
    const id = decodeId(encoded);
    if (id === null) return 'missing';
    if (kind.toLowerCase() === 'track') return findTrackHead(deps, id);
    return (await isPlaylistShared(deps, id)) ? null : 'missing';
  }
  if (!isSitePath(path)) return findLegalPage(deps, path, siteCard(deps.config.siteName));
  return buildSiteHead(path, siteOf(deps), {
    getChart: () => getChart(deps, null, {}),
    getPlans: () => getPlans(deps),
  });
}

const MAX_ID = 200;

function decodeId(encoded: string): string | null {
  try {
    const id = decodeURIComponent(encoded);
    return isPossibleId(id) && id.length <= MAX_ID ? id : null;
  } catch {
    return null;
  }
}

export type { PageHead };
