import type { SleeveStyle } from '#contract/art/sleeve-style.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';
import { stageColours } from './mail-colours.ts';
import { BODY_FONT, DISPLAY_FONT, drawBars, table } from './mail-parts.ts';

/** A mix as a mail shows it. */
export type MailTrack = {
  title: string;
  week: number;
  /** Where the sleeve's picture is: a JPEG or PNG that everyone may load. */
  sleeveUrl: string;
  /** `Week 46, 2026`, `1 h 10 min`, `with Kabza`. */
  meta: readonly string[];
  /** What the DJ says about it. */
  words: string | null;
  /** The first of its chapters, with the second at which each starts. */
  chapters: readonly { at: string; title: string; artist: string }[];
  /** How many more there are. */
  more: number;
};

const WEEKS = 53;

/** The weeks of the year, with this one tall. */
const listYear = (week: number, { rest, lit }: { rest: string; lit: string }) =>
  Array.from({ length: WEEKS }, (_, index) => {
    const isThis = index + 1 === week;
    const height = isThis ? 34 : Math.round(13 + 2 * Math.sin(index * 2.1) + Math.sin(index * 0.9));
    return { height, colour: isThis ? lit : rest, className: isThis ? 'numeral-bar' : 'rest-bar' };
  });

const nameChapter = ({ title, artist }: MailTrack['chapters'][number]): string =>
  artist === '' ? title : `${title} – ${artist}`;

type Colours = ReturnType<typeof stageColours>['light'];

function drawChapters({ chapters, more }: MailTrack, light: Colours): string {
  const font = `font:14px/1.4 ${BODY_FONT}`;
  const rows = chapters.map(
    ({ at, title, artist }) =>
      `<tr><td class="stage-text2" valign="top" style="padding:4px 14px 4px 0;${font};color:${light.text2};font-variant-numeric:tabular-nums;white-space:nowrap" align="right">${escapeHtml(at)}</td>` +
      `<td class="stage-text" dir="auto" valign="top" width="100%" style="padding:4px 0;${font};color:${light.text}"><b>${escapeHtml(title)}</b>${artist === '' ? '' : `<span class="stage-text2" style="color:${light.text2}"> – ${escapeHtml(artist)}</span>`}</td></tr>`,
  );
  if (more > 0)
    rows.push(
      `<tr><td></td><td class="stage-text2" style="padding:4px 0;${font};color:${light.text2}">and ${more} more</td></tr>`,
    );
  return rows.length === 0 ? '' : table(rows.join(''), 'width="100%" style="margin:16px 0 0"');
}

/** The stage of the site: the sleeve beside the numeral, the title, and the place in the year. */
export function drawTrack(track: MailTrack, { hemisphere }: SleeveStyle): string {
  const { title, week, sleeveUrl, meta, words } = track;
  const { light } = stageColours(week, hemisphere);
  const sleeve =
    `<td class="sleeve" width="232" valign="top" style="width:232px;background:${light.rest};font-size:0;line-height:0">` +
    `<img src="${escapeHtml(sleeveUrl)}" alt="Sleeve of ${escapeHtml(title)}" width="232" height="232" style="display:block;width:100%;max-width:232px;height:auto;border:0;font:14px/1.4 ${BODY_FONT};color:${light.text}"></td>`;
  const numeral = `<td class="numeral" align="center" valign="middle" style="padding:0 8px;font:bold 200px/0.9 ${DISPLAY_FONT};letter-spacing:-6px;color:${light.numeral}">${week}</td>`;
  const inner = 'padding:20px 24px 0';
  const year = listYear(week, { rest: light.rest, lit: light.numeral });
  return table(
    `<tr>${sleeve}${numeral}</tr>` +
      `<tr><td class="stage-inner" colspan="2" style="${inner}">` +
      `<h1 class="stage-text" dir="auto" style="margin:0;font:bold 40px/1 ${DISPLAY_FONT};color:${light.text};word-break:break-word">${escapeHtml(title)}</h1>` +
      `<p class="stage-text2" style="margin:10px 0 0;font:14px/1.5 ${BODY_FONT};color:${light.text2}">${meta.map(escapeHtml).join(' · ')}</p>` +
      (words === null
        ? ''
        : `<p class="stage-text" dir="auto" style="margin:16px 0 0;font:17px/1.5 ${BODY_FONT};color:${light.text}">${escapeHtml(words)}</p>`) +
      `${drawChapters(track, light)}</td></tr>` +
      `<tr><td colspan="2" style="padding:24px 0 0">${drawBars(year, '100%')}</td></tr>`,
    `class="stage" width="100%" bgcolor="${light.stage}" style="margin:8px 0 28px;background:${light.stage}"`,
  );
}

/** Mail programs that know dark themes get the dark stage; the others the printed one. */
export function trackStyle({ week }: MailTrack, { hemisphere }: SleeveStyle): string {
  const { dark } = stageColours(week, hemisphere);
  return `
@media (max-width:520px){.sleeve,.sleeve img{width:50vw!important;max-width:180px!important}.numeral{font-size:29vw!important;letter-spacing:-4px!important;padding:0!important}.stage h1{font-size:32px!important}.stage-inner{padding:16px 16px 0!important}}
@media (prefers-color-scheme:dark){
.stage{background:${dark.stage}!important}
.numeral{color:${dark.numeral}!important}
.stage-text{color:${dark.text}!important}
.stage-text2{color:${dark.text2}!important}
.rest-bar{background:${dark.rest}!important}
.numeral-bar{background:${dark.numeral}!important}
}
`;
}

export function describeTrack(track: MailTrack): string {
  const { title, meta, words, chapters, more } = track;
  const list = chapters.map((chapter) => `${chapter.at.padStart(7)}  ${nameChapter(chapter)}`);
  if (more > 0) list.push(`         and ${more} more`);
  return [[title, meta.join(' · ')].join('\n'), ...(words === null ? [] : [words]), list.join('\n')]
    .filter(Boolean)
    .join('\n\n');
}
