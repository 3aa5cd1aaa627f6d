import { readFileSync } from 'node:fs';
import { oklchToLinear, type Hemisphere } from '#contract/rules/week-colour.ts';

type Variables = Record<string, string>;
type Oklch = [l: number, c: number, h: number];

export type ContrastResult = {
  theme: 'dark' | 'light';
  name: string;
  need: number;
  /** The pair closest to failing. */
  worst: { ratio: number; foreground: string; background: string; week: number };
  failures: number;
};

const plain = 'bg surface raised';
const all = `${plain} overlay week-wash week-wash-2`;

/** Every text, mark and border of the design, the contrast it needs, and the backgrounds it is used on. */
const rules: [name: string, need: number, foregrounds: string, backgrounds: string][] = [
  ['body text', 4.5, 'text text-2 text-3', all],
  ['status text', 4.5, 'danger success warning', all],
  ['week text', 4.5, 'week', all],
  ['text on week fill', 4.5, 'on-week', 'week-fill'],
  ['text on action', 4.5, 'on-action', 'action action-hover'],
  ['text on a danger button', 4.5, 'bg', 'danger'],
  ['play glyph', 4.5, 'play-fg', 'play-bg'],
  ['focus ring', 3, 'focus', all],
  ['field borders, hollow ticks', 3, 'line-strong', plain],
  ['stage text', 4.5, 'stage-text stage-text-2 stage-mark', 'stage'],
  ['stage waveform', 3, 'stage-rest', 'stage'],
  ['unplayed waveform', 3, 'week-rest', 'bg surface week-wash week-wash-2'],
];

function readBlock(css: string, selector: string): Variables {
  const start = css.indexOf(`${selector}{`);
  if (start < 0) throw new Error(`The tokens have no block for ${selector.trim()}.`);
  const body = css.slice(css.indexOf('{', start) + 1, css.indexOf('}', start));
  return readVariables(body);
}

const readVariables = (body: string): Variables =>
  Object.fromEntries(
    [...body.matchAll(/--([\w-]+):([^;}]+)/g)].map(([, name = '', value = '']) => [
      name,
      value.trim(),
    ]),
  );

/** The variables of each week, from the table in the tokens. */
export function readWeekTable(css: string, hemisphere: Hemisphere): Map<number, Variables> {
  const prefix = hemisphere === 'north' ? '[data-hemisphere="north"] ' : '';
  const rows = [...css.matchAll(/^(\[data-week="\d+"\][^{\n]*)\{([^}]+)\}/gm)];
  const weeks = rows.flatMap(([, selectors = '', body = '']) =>
    selectors
      .split(',')
      .filter((selector) => selector.startsWith(`${prefix}[data-week=`))
      .map(
        (selector) => [Number(/week="(\d+)"/.exec(selector)?.[1]), readVariables(body)] as const,
      ),
  );
  return new Map(weeks.toSorted(([a], [b]) => a - b));
}

function resolve(name: string, variables: Variables): Oklch {
  let value = `var(--${name})`;
  for (let depth = 0; depth < 8 && value.includes('var('); depth++)
    value = value.replace(/var\(--([\w-]+)\)/g, (_, key: string) => variables[key] ?? '');
  const [l, c, h] = (/oklch\(([^)/]+)/.exec(value)?.[1] ?? '').trim().split(/\s+/).map(Number);
  if (l === undefined || c === undefined || h === undefined)
    throw new Error(`--${name} does not resolve to an oklch colour, but to "${value}".`);
  return [l, c, h];
}

function luminance([l, c, h]: Oklch): number {
  const [r, g, b] = oklchToLinear(l, c, h);
  const clamp = (channel: number) => Math.min(1, Math.max(0, channel));
  return 0.2126 * clamp(r) + 0.7152 * clamp(g) + 0.0722 * clamp(b);
}

export function contrastRatio(a: Oklch, b: Oklch): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** One result for every theme and rule, over all weeks. */
export function checkContrast(tokens: string): ContrastResult[] {
  const css = tokens.replace(/\/\*[\s\S]*?\*\//g, '');
  const dark = readBlock(css, ':root');
  const light = { ...dark, ...readBlock(css, '[data-theme="light"]') };
  const weekDark = readBlock(css, '\n[data-week]');
  const weekLight = {
    ...weekDark,
    ...readBlock(css, '[data-theme="light"] [data-week],[data-theme="light"][data-week]'),
  };
  const themes = [
    ['dark', { ...dark, ...weekDark }],
    ['light', { ...light, ...weekLight }],
  ] as const;
  const weeks = readWeekTable(css, 'south');
  return themes.flatMap(([theme, base]) =>
    rules.map(([name, need, foregrounds, backgrounds]) => {
      const pairs = [...weeks].flatMap(([week, own]) =>
        foregrounds.split(' ').flatMap((foreground) =>
          backgrounds.split(' ').map((background) => {
            const variables = { ...base, ...own };
            const ratio = contrastRatio(
              resolve(foreground, variables),
              resolve(background, variables),
            );
            return { ratio, foreground, background, week };
          }),
        ),
      );
      const worst = pairs.reduce((a, b) => (b.ratio < a.ratio ? b : a));
      return { theme, name, need, worst, failures: pairs.filter((p) => p.ratio < need).length };
    }),
  );
}

export const readTokens = (): string =>
  readFileSync(new URL('../../web/styles/tokens.css', import.meta.url), 'utf8');
