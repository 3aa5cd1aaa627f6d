import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  LETTER_FEED_PATH,
  letterPath,
  type Letter,
  type LetterSummary,
} from '#contract/letters.ts';
import { lookImagePath, parseLookImage } from '#contract/look.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import type { Deps } from '../../deps.ts';
import { buildHead, type CardLink, type PageHead } from '../../http/pages/page-head.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';
import { openSiteTexts, renderSiteText } from '../legal/service.ts';
import { readLook } from '../look/service.ts';
import { openCatalogue } from '../tracks/service.ts';
import { addOrigin, toPlainText } from './letter-mail.ts';
import { findLetter, isOut, listOut, pagesFor } from './queries.ts';

export async function listPublicLetters(
  { database }: Deps,
  viewer: Viewer | null,
  page: PageQuery,
): Promise<Page<LetterSummary>> {
  const { rows, nextCursor } = await listOut(database.db, pagesFor(viewer !== null), page);
  return { items: rows.map(({ id, subject, at }) => ({ id, subject, at })), nextCursor };
}

export async function readLetter(deps: Deps, viewer: Viewer | null, id: string): Promise<Letter> {
  const row = await findLetter(deps.database.db, id);
  if (!row || !isOut(row) || row.page === 'none') throw new AppError('not_found');
  if (row.page === 'members' && !viewer) throw new AppError('unauthenticated');
  const image = parseLookImage(row.picture);
  const catalogue = await openCatalogue(deps, viewer?.user ?? null);
  const found = row.track_id === null ? undefined : await catalogue.find(row.track_id);
  const [track] = found ? await catalogue.present([found]) : [];
  return {
    id,
    subject: row.subject,
    at: row.started_at ?? row.updated_at,
    html: await renderSiteText(deps, row.body),
    picture: image && {
      path: lookImagePath(image),
      smallPath: lookImagePath(image, 'small'),
      width: image.width,
      height: image.height,
      text: row.picture_text,
    },
    track: track ?? null,
  };
}

const FEED_TITLE = 'letters';
const NEWEST = { limit: 50 };

const feedLink = (siteName: string) => ({
  type: 'application/rss+xml',
  path: LETTER_FEED_PATH,
  title: `${siteName}: ${FEED_TITLE}`,
});

/** For search engines, link previews and browsers without scripts; null for what members read. */
export async function findLetterHead(
  deps: Deps,
  id: string | null,
  card: CardLink,
): Promise<PageHead | 'missing' | null> {
  const site = { ...readLook(deps), origin: deps.site.origin };
  const alternates = [feedLink(site.siteName)];
  if (id === null) {
    const { items } = await listPublicLetters(deps, null, NEWEST);
    const links = items.map(
      (letter) => `<li><a href="${letterPath(letter.id)}">${escapeHtml(letter.subject)}</a></li>`,
    );
    if (items.length === 0) return null;
    return buildHead(site, {
      path: '/letters',
      title: 'Letters',
      description: `Letters from ${site.siteName}.`,
      card,
      alternates,
      data: { '@type': 'CollectionPage', name: `Letters from ${site.siteName}` },
      plain: `<h1>Letters</h1><ul>${links.join('')}</ul>`,
    });
  }
  try {
    const { subject, html, at, picture } = await readLetter(deps, null, id);
    const image = picture
      ? `<img src="${picture.path}" width="${picture.width}" height="${picture.height}" alt="${escapeHtml(picture.text)}">`
      : '';
    return buildHead(site, {
      path: letterPath(id),
      title: subject,
      description: toPlainText(html),
      type: 'article',
      card,
      alternates,
      data: {
        '@type': 'Article',
        headline: subject,
        datePublished: new Date(at).toISOString(),
        publisher: { '@type': 'Organization', name: site.siteName, url: site.origin },
      },
      plain: `<h1>${escapeHtml(subject)}</h1>${image}${html}`,
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === 'unauthenticated' ? null : 'missing';
  }
}

/** For the sitemap. */
export async function listLetterPaths(deps: Deps): Promise<string[]> {
  const { items } = await listPublicLetters(deps, null, NEWEST);
  return items.length === 0 ? [] : ['/letters', ...items.map(({ id }) => letterPath(id))];
}

// eslint-disable-next-line no-control-regex -- exactly the ones that XML forbids
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** The last ones written, by ETag: up to 2 MB of Markdown is in each. */
const feeds = new LRUCache<string, Promise<string>>({ max: 2 });

/**
 * For feed readers. Podcast apps play what is in a feed, so theirs have no letters. The ETag is that
 * of what goes into it: nothing is written for somebody who has it, nor twice for those who don’t.
 */
export async function openLetterFeed(
  deps: Deps,
): Promise<{ etag: string; read: () => Promise<string> } | null> {
  const { origin } = deps.site;
  const { siteName } = readLook(deps);
  const { rows } = await listOut(deps.database.db, pagesFor(false), { limit: 20 });
  const [newest] = rows;
  if (!newest) return null;
  const lastBuildDate = new Date(newest.at);
  const { facts, render } = await openSiteTexts(deps);
  const letters = rows.map(({ id, subject, body, at }) => ({ id, subject, body, at }));
  const content = JSON.stringify([origin, siteName, facts, letters]);
  const etag = `"${hash('sha256', content, 'base64url').slice(0, 22)}"`;

  async function write(): Promise<string> {
    const { generateRssFeed } = await import('feedsmith');
    const items = await Promise.all(
      letters.map(async ({ id, subject, body, at }) => {
        const url = origin + letterPath(id);
        return {
          title: subject,
          link: url,
          guid: { value: url, isPermaLink: true },
          pubDate: new Date(at),
          description: addOrigin(await render(body), origin),
        };
      }),
    );
    const written = generateRssFeed({
      title: feedLink(siteName).title,
      link: `${origin}/letters`,
      description: `Letters from ${siteName}.`,
      language: 'en',
      lastBuildDate,
      items,
    });
    return written.toWellFormed().replace(FORBIDDEN, '');
  }

  function read(): Promise<string> {
    const known = feeds.get(etag);
    if (known) return known;
    const text = write();
    feeds.set(etag, text);
    text.catch(() => feeds.delete(etag));
    return text;
  }
  return { etag, read };
}
