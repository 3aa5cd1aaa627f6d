import { readFileSync } from 'node:fs';

/**
 * Outlines of the display font Anybody: text in width 56 and weight 690, numerals in width 50 and
 * weight 680. Each is its advance and an SVG path with the baseline at 0, upwards. The library that
 * draws pictures can't read the font itself.
 */
type Outlines = {
  unitsPerEm: number;
  capHeight: number;
  letters: Record<string, string>;
  numerals: Record<string, string>;
};

let outlines: Outlines | undefined;
const readOutlines = (): Outlines =>
  (outlines ??= JSON.parse(
    readFileSync(new URL('letters.json', import.meta.url), 'utf8'),
  ) as Outlines);

type Style = {
  /** The height of capital letters and figures, in pixels. */
  capHeight: number;
  isNumeral?: boolean;
};

type Glyph = { advance: number; path: string };

function findGlyph(character: string, isNumeral = false): Glyph | undefined {
  const { letters, numerals } = readOutlines();
  const set = isNumeral ? numerals : letters;
  const outline = Object.hasOwn(set, character) ? set[character] : undefined;
  if (outline === undefined) return undefined;
  const advance = Number.parseInt(outline, 10);
  return { advance, path: outline.slice(String(advance).length) };
}

/** Characters of other scripts and emoji have no outline. */
export const canDraw = (text: string): boolean =>
  [...text.normalize('NFC')].every((character) => findGlyph(character) !== undefined);

export function measure(text: string, { capHeight, isNumeral }: Style): number {
  const units = [...text.normalize('NFC')].reduce(
    (sum, character) => sum + (findGlyph(character, isNumeral)?.advance ?? 0),
    0,
  );
  return (units * capHeight) / readOutlines().capHeight;
}

/** The text as paths whose baseline starts at this point. */
export function drawText(
  text: string,
  { x, y, fill, ...style }: Style & { x: number; y: number; fill: string },
): string {
  const scale = style.capHeight / readOutlines().capHeight;
  let offset = 0;
  const paths = [...text.normalize('NFC')].map((character) => {
    const { advance, path } = findGlyph(character, style.isNumeral) ?? { advance: 0, path: '' };
    const glyph = path && `<path transform="translate(${offset})" d="${path}"/>`;
    offset += advance;
    return glyph;
  });
  const place = `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})`;
  return `<g fill="${fill}" transform="${place}">${paths.join('')}</g>`;
}
