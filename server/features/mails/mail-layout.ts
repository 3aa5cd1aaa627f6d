import type { Look } from '#contract/look.ts';
import type { MailWords } from '#contract/rules/mail-words.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';
import { greet } from './greeting.ts';
import { dark, light } from './mail-colours.ts';
import { BODY_FONT, DISPLAY_FONT, drawHeader, table } from './mail-parts.ts';
import { describeTrack, drawTrack, trackStyle, type MailTrack } from './track-stage.ts';

/** What all mails of a site have in common. */
export type MailSite = {
  look: Look;
  siteName: string;
  origin: string;
  /** Of a gigabyte, in cents. */
  dataPrice: number | null;
  /** What the operator writes in mails. */
  words: MailWords;
};

/** A paragraph, or something that has its own look. */
export type MailBlock =
  | string
  | { facts: readonly (readonly [label: string, value: string])[] }
  /** What somebody wrote, in their words. */
  | { quote: readonly string[] }
  | { track: MailTrack }
  /** HTML that is already safe, such as rendered Markdown. */
  | { html: string; text: string };

/** What a mail says. The layout makes HTML and a plain text of it that says the same. */
export type MailContent = {
  to: string;
  subject: string;
  /** What mail programs show after the subject. Without it they get the first paragraph. */
  preheader?: string;
  /** Whom the mail greets; null greets without a name. */
  username: string | null;
  blocks: readonly MailBlock[];
  /** What there is to do, and on which of our pages. */
  button?: { label: string; url: string };
  /** Below the button. */
  after?: readonly MailBlock[];
  /** Small, at the end. */
  notes?: readonly string[];
  unsubscribe?: { label: string; url: string };
  /** Names the message, so that one sent again after a crash is recognised as the same. */
  key?: string;
};

const MAX_SUBJECT = 200;

/** Titles and names are part of subjects, and a subject is one line. */
const toSubject = (text: string): string =>
  [...text.replace(/\p{Cc}+/gu, ' ').toWellFormed()].slice(0, MAX_SUBJECT).join('').trim();

const style = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
body{-webkit-text-size-adjust:100%}
.html p{margin:0 0 16px}
.html h1,.html h2,.html h3{margin:28px 0 8px;font:bold 22px/1.2 ${DISPLAY_FONT}}
.html img{max-width:100%;height:auto}
.html blockquote{margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid ${light.line}}
@media (max-width:520px){.sheet{padding:0 16px 32px!important}.head{padding-top:20px!important;padding-bottom:20px!important}}
@media (prefers-color-scheme:dark){
body,.ground{background:${dark.ground}!important}
.text{color:${dark.text}!important}
.text2{color:${dark.text2}!important}
.text3,.text3 a{color:${dark.text3}!important}
.rule,.html blockquote{border-color:${dark.line}!important}
.button{background:${dark.action}!important;color:${dark.onAction}!important}
.bar{background:${dark.text}!important}
}
`;

const BODY = `font:16px/1.55 ${BODY_FONT}`;

function paragraph(html: string, kind: 'text' | 'text2' | 'text3' = 'text', size = 16): string {
  const text = `margin:0 0 ${size}px;font:${size}px/1.55 ${BODY_FONT};color:${light[kind]}`;
  return `<p class="${kind}" style="${text}">${html}</p>`;
}

const ADDRESS = /(https?:\/\/[^\s]*[^\s.,;:!?)])/u;

/** A stranger may have written any of it, so only our own addresses become links. */
function toHtml(text: string, origin: string): string {
  return text
    .split(ADDRESS)
    .map((part) => {
      const escaped = escapeHtml(part).replaceAll('\n', '<br>');
      if (!part.startsWith(`${origin}/`)) return escaped;
      return `<a href="${escaped}" style="color:inherit;word-break:break-word">${escaped}</a>`;
    })
    .join('');
}

function drawFacts(facts: readonly (readonly [string, string])[]): string {
  const rows = facts.map(([label, value]) => {
    const cell = `padding:9px 0;border-bottom:1px solid ${light.line};font:15px/1.4 ${BODY_FONT}`;
    return (
      `<tr><th class="text3 rule" scope="row" align="left" valign="top" style="${cell};padding-right:20px;font-weight:normal;white-space:nowrap;color:${light.text3}">${escapeHtml(label)}</th>` +
      `<td class="text rule" align="right" valign="top" style="${cell};color:${light.text};font-variant-numeric:tabular-nums">${escapeHtml(value)}</td></tr>`
    );
  });
  return `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px;border-collapse:collapse">${rows.join('')}</table>`;
}

function drawBlock(block: MailBlock, site: MailSite): string {
  if (typeof block === 'string') return paragraph(toHtml(block, site.origin));
  if ('facts' in block) return drawFacts(block.facts);
  if ('track' in block) return drawTrack(block.track, site.look.sleeves);
  if ('quote' in block) {
    const look = `margin:0 0 20px;padding:2px 0 2px 18px;border-left:3px solid ${light.text};font:18px/1.5 ${BODY_FONT};color:${light.text}`;
    const lines = block.quote.map(escapeHtml).join('<br>');
    return `<blockquote class="text" dir="auto" style="${look}">${lines}</blockquote>`;
  }
  return `<div class="html text" style="${BODY};color:${light.text}">${block.html}</div>`;
}

function describeBlock(block: MailBlock): string {
  if (typeof block === 'string') return block;
  if ('facts' in block) return block.facts.map(([label, value]) => `${label}: ${value}`).join('\n');
  if ('track' in block) return describeTrack(block.track);
  return 'quote' in block ? block.quote.map((line) => `> ${line}`).join('\n') : block.text.trim();
}

/** Outlook ignores the padding of a link, but not the colour of a cell. */
function drawButton({ label, url }: { label: string; url: string }): string {
  const look = `display:inline-block;padding:15px 30px;border-radius:999px;background:${light.action};font:bold 16px/1.2 ${BODY_FONT};color:${light.onAction};text-align:center;text-decoration:none`;
  const cell = `<td class="button" bgcolor="${light.action}" style="border-radius:999px;background:${light.action}">`;
  return table(
    `<tr>${cell}<a class="button" href="${escapeHtml(url)}" style="${look}">${escapeHtml(label)}</a></td></tr>`,
    'style="margin:8px 0 28px;border-collapse:separate"',
  );
}

const findTrack = (blocks: readonly MailBlock[]): MailTrack | undefined =>
  blocks.flatMap((block) =>
    typeof block === 'object' && 'track' in block ? [block.track] : [],
  )[0];

const SIGNATURE = '-- ';

function findPreheader({ preheader, blocks }: MailContent): string {
  const first = blocks.find((block) => typeof block === 'string');
  return preheader ?? first ?? '';
}

/** Keeps mail programs from filling up the preview with the rest of the mail. */
const FILLER = '&#847;&zwnj;&nbsp;'.repeat(60);

export function layOutMail(site: MailSite, content: MailContent): MailMessage {
  const { to, username, blocks, button, after = [], notes = [], unsubscribe, key } = content;
  const { siteName, origin } = site;
  const greeting = greet(site.words.greeting, username, siteName);
  const track = findTrack(blocks);
  const subject = toSubject(content.subject);

  const footer = [siteName, origin, ...(unsubscribe ? [unsubscribe.label, unsubscribe.url] : [])];
  const texts = [
    greeting,
    ...blocks.map(describeBlock),
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ...after.map(describeBlock),
    ...notes,
    [SIGNATURE, ...footer].join('\n'),
  ].filter((text) => text.trim() !== '');

  const draw = (block: MailBlock) => drawBlock(block, site);
  const link = (url: string, label: string) =>
    `<a href="${escapeHtml(url)}" style="color:${light.text3}">${escapeHtml(label)}</a>`;
  const body = [
    greeting === '' ? '' : paragraph(escapeHtml(greeting)),
    ...blocks.map(draw),
    button ? drawButton(button) : '',
    ...after.map(draw),
    ...notes.map((note) => paragraph(toHtml(note, origin), 'text3', 14)),
    `<div class="rule" style="margin:24px 0 16px;border-top:1px solid ${light.line};font-size:0;line-height:0">&nbsp;</div>`,
    paragraph(
      [
        link(origin, siteName),
        ...(unsubscribe ? [link(unsubscribe.url, unsubscribe.label)] : []),
      ].join(' &nbsp;·&nbsp; '),
      'text3',
      13,
    ),
  ];
  return {
    to,
    subject,
    text: `${texts.join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escapeHtml(subject)}</title><style>${style}${track ? trackStyle(track, site.look.sleeves) : ''}</style></head>
<body style="margin:0;padding:0;background:${light.ground}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(findPreheader(content))}${FILLER}</div>
${table(
  `<tr><td align="center"><!--[if mso]><table role="presentation" width="600"><tr><td><![endif]-->
<div class="sheet" style="max-width:600px;margin:0 auto;padding:0 24px 40px;text-align:left">
${drawHeader(siteName)}
${body.filter(Boolean).join('\n')}
</div><!--[if mso]></td></tr></table><![endif]--></td></tr>`,
  `class="ground" width="100%" bgcolor="${light.ground}" style="background:${light.ground}"`,
)}
</body></html>`,
    ...(unsubscribe && { unsubscribeUrl: unsubscribe.url }),
    ...(key !== undefined && { key }),
  };
}
