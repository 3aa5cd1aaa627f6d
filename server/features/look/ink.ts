/** A picture as it is in memory: four bytes per pixel. */
export type Pixels = { data: Uint8Array; width: number; height: number };

/** How much ink is where, and whether that is just what the picture covers. */
export type Ink = { alpha: Uint8Array; isWhatIsCovered: boolean };

const luminance = (data: Uint8Array, at: number): number =>
  (0.2126 * (data[at] ?? 0) + 0.7152 * (data[at + 1] ?? 0) + 0.0722 * (data[at + 2] ?? 0)) / 255;

const OPAQUE = 250;
/** Light enough to be the paper that a logo is printed on. */
const PAPER = 0.88;
/** Less of it is the edge of something. */
const MIN_SHARE = 0.01;

const clamp = (value: number): number => Math.min(1, Math.max(0, value));

/** The tone of most of the edge: the ground that an opaque picture stands on. */
function findGround({ data, width, height }: Pixels): number {
  const edge: number[] = [];
  for (let x = 0; x < width; x++)
    edge.push(luminance(data, x * 4), luminance(data, ((height - 1) * width + x) * 4));
  for (let y = 0; y < height; y++)
    edge.push(luminance(data, y * width * 4), luminance(data, (y * width + width - 1) * 4));
  return edge.toSorted((a, b) => a - b)[Math.floor(edge.length / 2)] ?? 1;
}

/**
 * A logo in one ink. What is transparent stays free of it; an opaque picture is ink where it differs
 * from its own ground. White parts on a darker shape are its paper, or the shape would swallow them;
 * a logo that is white as a whole is ink. Null if there is nothing to draw.
 */
export function toInk(pixels: Pixels): Ink | null {
  const { data, width, height } = pixels;
  const count = width * height;
  let [transparent, paper, dark] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const opacity = data[i * 4 + 3] ?? 0;
    if (opacity < OPAQUE) transparent += 1;
    else if (luminance(data, i * 4) > PAPER) paper += 1;
    else dark += 1;
  }
  const isCutOut = transparent > count * MIN_SHARE;
  const hasPaper = isCutOut && Math.min(paper, dark) > (paper + dark) * MIN_SHARE;
  const ground = isCutOut ? null : findGround(pixels);
  const alpha = new Uint8Array(count);
  let [strongest, drawn] = [0, 0];
  const strengths = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const tone = luminance(data, i * 4);
    const strength =
      ground === null
        ? hasPaper
          ? clamp((1 - tone) / (1 - PAPER) - 0.2)
          : 1
        : Math.abs(tone - ground);
    strengths[i] = strength * ((data[i * 4 + 3] ?? 0) / 255);
    strongest = Math.max(strongest, strengths[i] ?? 0);
  }
  // Two tones that hardly differ are one.
  if (strongest < 0.08) return null;
  const full = ground === null ? 1 : strongest * 0.9;
  for (let i = 0; i < count; i++) {
    const value = Math.round(255 * clamp((strengths[i] ?? 0) / full));
    alpha[i] = value < 6 ? 0 : value;
    if (value > 127) drawn += 1;
  }
  return drawn === 0 || drawn === count ? null : { alpha, isWhatIsCovered: isCutOut && !hasPaper };
}

/** Where there is ink; the rest of a picture is margin. */
export function findInkBox({ alpha }: Ink, { width, height }: Omit<Pixels, 'data'>) {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if ((alpha[y * width + x] ?? 0) < 24) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}
