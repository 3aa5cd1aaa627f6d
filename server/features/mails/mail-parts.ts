import { escapeHtml } from '../../http/send/escape-html.ts';
import { light } from './mail-colours.ts';

/** Mails load no fonts: the ones of the pages, where they are installed, then what comes close. */
export const BODY_FONT =
  "'Instrument Sans',-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
export const DISPLAY_FONT =
  "Anybody,'Avenir Next Condensed','HelveticaNeue-CondensedBold','sans-serif-condensed','Arial Narrow',Bahnschrift,Arial,sans-serif";

/** For layout only; screen readers don't announce it. */
export const table = (rows: string, attributes: string): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" ${attributes}>${rows}</table>`;

type Bar = { height: number; colour: string; className: string; isQuiet?: boolean };

/** Bars on one baseline. They are cells, so they show with pictures blocked, and in Outlook too. */
export function drawBars(bars: readonly Bar[], width: string): string {
  const cells = bars.map(({ height, colour, className, isQuiet }) => {
    const look = `height:${height}px;background:${colour};font-size:0;line-height:0${isQuiet ? ';opacity:.62' : ''}`;
    return `<td valign="bottom" style="padding:0 1px 0 0"><div class="${className}" style="${look}">&nbsp;</div></td>`;
  });
  return table(
    `<tr>${cells.join('')}</tr>`,
    `aria-hidden="true" width="${width}" style="table-layout:fixed"`,
  );
}

/** Seven days: five quiet bars and a tall weekend. */
const LOGO_BARS = [9, 13, 8, 12, 10, 22, 18];

/** The bars and the name of the site. */
export function drawHeader(siteName: string): string {
  const bars = LOGO_BARS.map((height, day) => ({
    height,
    colour: light.text,
    className: 'bar',
    isQuiet: day < 5,
  }));
  const name = `font:bold 22px/1 ${DISPLAY_FONT};color:${light.text}`;
  return table(
    `<tr><td class="head" valign="bottom" style="padding:28px 10px 28px 0">${drawBars(bars, '28')}</td>` +
      `<td class="head text" valign="bottom" style="padding:28px 0;${name}">${escapeHtml(siteName)}</td></tr>`,
    '',
  );
}
