import type { TrackDetail } from '#contract/tracks.ts';
import type { PageHead } from '../../http/web-page.ts';

export type Site = { origin: string; siteName: string };

/** ISO 8601: `PT59M20S`. */
const toIsoDuration = (seconds: number): string =>
  `PT${Math.floor(seconds / 60)}M${Math.floor(seconds % 60)}S`;

const MAX_DESCRIPTION = 300;

/** One line that fits a link card. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_DESCRIPTION ? line : `${line.slice(0, MAX_DESCRIPTION - 1).trimEnd()}…`;
}

/**
 * The link preview of a track, from what visitors may see. A track without a cover gets the picture
 * of its drawn sleeve, in the 1200 by 630 of link cards.
 */
export function buildTrackHead(track: TrackDetail, { origin, siteName }: Site): PageHead {
  const { title, weekNumber, year, genre, duration } = track;
  const url = `${origin}/track/${encodeURIComponent(track.id)}`;
  const week = `Week ${weekNumber}, ${year}`;
  const facts = [week, ...(genre ? [genre] : [])].join(' · ');
  const description = shorten(track.description) || `${facts} on ${siteName}`;
  const image = track.coverUrl
    ? { url: `${origin}${track.coverUrl}`, size: null }
    : {
        url: `${origin}/media/sleeves/${encodeURIComponent(track.id)}.png`,
        size: { width: 1200, height: 630 },
      };
  return {
    title: `${title} · ${siteName}`,
    url,
    tags: {
      description,
      'og:type': 'music.song',
      'og:site_name': siteName,
      'og:title': `${title} · ${facts}`,
      'og:description': description,
      'og:url': url,
      'og:image': image.url,
      ...(image.size && {
        'og:image:width': String(image.size.width),
        'og:image:height': String(image.size.height),
      }),
      'og:image:alt': `Cover of ${title}`,
      'music:duration': String(Math.round(duration)),
      'twitter:card': image.size ? 'summary_large_image' : 'summary',
    },
    data: {
      '@context': 'https://schema.org',
      '@type': 'MusicRecording',
      name: title,
      url,
      description,
      image: image.url,
      ...(genre && { genre }),
      duration: toIsoDuration(duration),
      datePublished: new Date(track.publishedAt).toISOString().slice(0, 10),
      interactionStatistic: {
        '@type': 'InteractionCounter',
        interactionType: 'https://schema.org/ListenAction',
        userInteractionCount: track.plays,
      },
      audio: {
        '@type': 'AudioObject',
        name: `${title}, preview`,
        contentUrl: `${origin}${track.fileUrl}`,
      },
      publisher: { '@type': 'Organization', name: siteName, url: origin },
    },
  };
}
