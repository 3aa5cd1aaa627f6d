import { readFileSync } from 'node:fs';
import { oklchToLinear } from '#contract/rules/week-colour.ts';

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

const flat = ['bg', 'surface', 'raised', 'overlay'];
const grounds = [...flat, 'week-wash', 'week-wash-2'];

/** Every text, mark and border of the design, on every background it is used on. */
const rules: { name: string; foregrounds: string[]; backgrounds: string[]; need: number }[] = [
  { name: 'body text', foregrounds: ['text', 'text-2', 'text-3'], backgrounds: grounds, need: 4.5 },
  {
    name: 'status text',
    foregrounds: ['danger', 'success', 'warning'],
    backgrounds: grounds,
    need: 4.5,
  },
  { name: 'week text', foregrounds: ['week'], backgrounds: grounds, need: 4.5 },
  { name: 'text on week fill', foregrounds: ['on-week'], backgrounds: ['week-fill'], need: 4.5 },
  {
    name: 'text on action',
    foregrounds: ['on-action'],
    backgrounds: ['action', 'action-hover'],
    need: 4.5,
  },
  { name: 'text on a danger button', foregrounds: ['bg'], backgrounds: ['danger'], need: 4.5 },
  { name: 'play glyph', foregrounds: ['play-fg'], backgrounds: ['play-bg'], need: 4.5 },
  { name: 'focus ring', foregrounds: ['focus'], backgrounds: grounds, need: 3 },
  {
    name: 'field borders, hollow ticks',
    foregrounds: ['line-strong'],
    backgrounds: ['bg', 'surface', 'raised'],
    need: 3,
  },
  {
    name: 'stage text',
    foregrounds: ['stage-text', 'stage-text-2', 'stage-mark'],
    backgrounds: ['stage'],
    need: 4.5,
  },
  { name: 'stage waveform', foregrounds: ['stage-rest'], backgrounds: ['stage'], need: 3 },
  {
    name: 'unplayed waveform',
    foregrounds: ['week-rest'],
    backgrounds: ['bg', 'surface', 'week-wash', 'week-wash-2'],
    need: 3,
  },
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
export function readWeekTable(css: string): Map<number, Variables> {
  return new Map(
    [...css.matchAll(/\[data-week="(\d+)"\]\{([^}]+)\}/g)].map(([, week, body = '']) => [
      Number(week),
      readVariables(body),
    ]),
  );
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
  const weeks = readWeekTable(css);
  return themes.flatMap(([theme, base]) =>
    rules.map(({ name, foregrounds, backgrounds, need }) => {
      const pairs = [...weeks].flatMap(([week, own]) =>
        foregrounds.flatMap((foreground) =>
          backgrounds.map((background) => {
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
  readFileSync(new URL('../web/styles/tokens.css', import.meta.url), 'utf8');
