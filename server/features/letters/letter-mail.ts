import { letterPath } from '#contract/letters.ts';
import { lookImagePath, parseLookImage } from '#contract/look.ts';
import type { LetterContent } from '#contract/admin/letters.ts';
import type { Deps } from '../../deps.ts';
import { escapeHtml, unescapeHtml } from '../../http/send/escape-html.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';
import { renderSiteText } from '../legal/service.ts';
import { layOutMail, readMailSite, type MailBlock, type MailSite } from '../mails/service.ts';
import { presentMailTrack, type MailedTrack } from '../releases/service.ts';

/** As wide as the sheet of a mail. */
const WIDTH = 552;

/** Rendered Markdown as text that can be read without it. */
export function toPlainText(html: string): string {
  const text = html
    .replaceAll(/<a href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g, (_all, url: string, label: string) => {
      const address = url.replace(/^mailto:/, '');
      return address === label ? label : `${label} (${address})`;
    })
    .replaceAll(/<li>\s*(?:<p>)?/g, '- ')
    .replaceAll(/<hr ?\/?>/g, '---\n\n')
    .replaceAll(/<br ?\/?>\n?/g, '\n')
    .replaceAll(/<\/(?:p|h\d|ul|ol|pre|blockquote)>\n?/g, '\n\n')
    .replaceAll(/<[^>]*>/g, '');
  return unescapeHtml(text)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** What is read elsewhere has no address of its own. */
export const addOrigin = (html: string, origin: string): string =>
  html.replaceAll('<a href="/', `<a href="${escapeHtml(origin)}/`);

/** Mail programs have links in colours that no dark theme knows. */
const colourLinks = (html: string): string =>
  html.replaceAll('<a href', '<a style="color:inherit;text-decoration:underline" href');

function drawPicture({ picture, pictureText }: LetterContent, origin: string): MailBlock[] {
  const image = parseLookImage(picture);
  if (!image) return [];
  const width = Math.min(WIDTH, image.width);
  const height = Math.round((image.height / image.width) * width);
  const html = `<img src="${escapeHtml(origin + lookImagePath(image))}" alt="${escapeHtml(pictureText)}" width="${width}" height="${height}" style="display:block;width:100%;max-width:${width}px;height:auto;margin:0 0 24px;border:0">`;
  return [{ html, text: pictureText === '' ? '' : `[${pictureText}]` }];
}

const PREHEADER = 160;

const firstWords = (text: string): string =>
  [...text.replaceAll(/\s+/g, ' ')].slice(0, PREHEADER).join('');

/** What all copies of a letter have in common. */
export type PreparedLetter = { site: MailSite; content: LetterContent; blocks: MailBlock[] };

export async function prepareLetter(deps: Deps, content: LetterContent): Promise<PreparedLetter> {
  const site = await readMailSite(deps);
  const html = addOrigin(await renderSiteText(deps, content.body), site.origin);
  const words = { html: colourLinks(html), text: toPlainText(html) };
  return { site, content, blocks: [...drawPicture(content, site.origin), words] };
}

type Copy = {
  to: string;
  username: string;
  unsubscribeUrl: string;
  /** If this reader may see it. */
  track: MailedTrack | null;
  /** Of the letter, if it has a page. */
  pageId: string | null;
  key?: string;
};

export function writeLetter({ site, content, blocks }: PreparedLetter, copy: Copy): MailMessage {
  const { to, username, unsubscribeUrl, track, pageId, key } = copy;
  const words = blocks.at(-1);
  return layOutMail(site, {
    to,
    username,
    subject: content.subject,
    preheader: firstWords(words && typeof words === 'object' && 'text' in words ? words.text : ''),
    blocks: [...blocks, ...(track ? [{ track: presentMailTrack(track, site) }] : [])],
    ...(track && {
      button: {
        label: `Play week ${track.row.week}`,
        url: `${site.origin}/track/${encodeURIComponent(track.row.id)}`,
      },
    }),
    notes: pageId === null ? [] : [`On the site: ${site.origin}${letterPath(pageId)}`],
    unsubscribe: { label: 'Unsubscribe from product news', url: unsubscribeUrl },
    ...(key !== undefined && { key }),
  });
}
