import { clipFilePath, clipPath, type PublicClip } from '#contract/clips.ts';
import { cleanPath } from '#contract/page-paths.ts';
import { formatDuration } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { buildHead, type PageHead, type Site } from '../../http/pages/page-head.ts';
import type { FoundHead } from '../../http/pages/web-app.ts';
import { AppError } from '../../http/route/app-error.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';
import { readLook } from '../look/service.ts';
import { CLIP_LAYOUTS, findTrackCard } from '../public-pages/service.ts';
import { getPublicClip } from './service.ts';

const MAX_ID = 64;

/** What link previews and browsers without scripts show of a clip; undefined for other pages. */
export async function findClipHead(deps: Deps, address: string): Promise<FoundHead | undefined> {
  const [, id] = /^\/clip\/([^/]+)$/i.exec(cleanPath(address)) ?? [];
  if (id === undefined) return undefined;
  if (!/^[a-z0-9]+$/.test(id) || id.length > MAX_ID) return 'missing';
  try {
    const clip = await getPublicClip(deps, id);
    const card = await findTrackCard(deps, clip.track.id);
    return buildClipHead(clip, { ...readLook(deps), origin: deps.site.origin }, card);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return 'missing';
  }
}

function buildClipHead(
  { id, start, seconds, track }: PublicClip,
  site: Site,
  card: { path: string; alt: string },
): PageHead {
  const { origin, siteName } = site;
  const names = track.artists.map(({ name }) => name).join(', ');
  const part = `${seconds} seconds, from ${formatDuration(start)}`;
  const facts = [names, `Week ${track.weekNumber}, ${track.year}`].filter(Boolean).join(' · ');
  const video = `${origin}${clipFilePath(id, 'square')}`;
  const audio = `${origin}${clipFilePath(id, 'audio')}`;
  const { width, height } = CLIP_LAYOUTS.square;
  const next = `/track/${encodeURIComponent(track.id)}?t=${start}`;
  return buildHead(site, {
    path: clipPath(id),
    title: `${track.title}, ${part}`,
    linkTitle: `${track.title} · ${part}`,
    description: track.description.trim() || `${facts} on ${siteName}`,
    type: 'video.other',
    card,
    tags: {
      // Many clips of one mix say the same.
      robots: 'noindex',
      'og:video': video,
      ...(video.startsWith('https:') && { 'og:video:secure_url': video }),
      'og:video:type': 'video/mp4',
      'og:video:width': String(width),
      'og:video:height': String(height),
      'og:audio': audio,
      'og:audio:type': 'audio/mpeg',
    },
    data: {
      '@type': 'VideoObject',
      name: `${track.title}, ${part}`,
      contentUrl: video,
      duration: `PT${seconds}S`,
    },
    plain:
      `<h1>${escapeHtml(track.title)}</h1><p>${escapeHtml(`${part} · ${facts}`)}</p>` +
      `<p><audio controls preload="none" src="${escapeHtml(clipFilePath(id, 'audio'))}"></audio></p>` +
      `<p><a href="/register?next=${encodeURIComponent(next)}">Hear the whole mix</a></p>`,
  });
}
