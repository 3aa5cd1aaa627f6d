/**
 * The year is a colour wheel that turns with the seasons: in the south week 52 is high-summer orange
 * and week 26 mid-winter blue, in the north the other way round. The table in web/styles/tokens.css
 * contains the results of `weekColor`.
 */
export const HEMISPHERES = ['south', 'north'] as const;
export type Hemisphere = (typeof HEMISPHERES)[number];

type Oklch = { l: number; c: number; h: number };
type WeekColor = { week: number; h: number; signal: Oklch; ink: Oklch; hex: string };

type Rgb = readonly [number, number, number];

export const wrap = (value: number, size: number): number => ((value % size) + size) % size;

/** Week 53 has the hue of week 1. */
export const weekHue = (week: number, hemisphere: Hemisphere): number =>
  wrap((hemisphere === 'north' ? 240 : 60) - (week * 360) / 52, 360);

/** Linear sRGB; channels are outside 0..1 for colours outside the gamut. */
export function oklchToLinear(L: number, C: number, h: number): Rgb {
  const a = C * Math.cos((h * Math.PI) / 180);
  const b = C * Math.sin((h * Math.PI) / 180);
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

export const isInGamut = (rgb: Rgb): boolean => rgb.every((v) => v >= -0.0005 && v <= 1.0005);

/** The largest chroma within sRGB at this lightness and hue. */
export function maxChroma(L: number, h: number): number {
  let low = 0;
  let high = 0.4;
  for (let i = 0; i < 24; i++) {
    const mid = (low + high) / 2;
    if (isInGamut(oklchToLinear(L, mid, h))) low = mid;
    else high = mid;
  }
  return low;
}

export function oklchToHex(L: number, C: number, h: number): string {
  const channels = oklchToLinear(L, Math.min(C, maxChroma(L, h)), h).map((channel) => {
    const x = Math.min(1, Math.max(0, channel));
    const encoded = x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}

/** Yellows are lighter than blues and reds. */
const LIGHTNESS: readonly (readonly [hue: number, lightness: number])[] = [
  [0, 0.725],
  [30, 0.715],
  [60, 0.775],
  [85, 0.825],
  [105, 0.86],
  [130, 0.835],
  [155, 0.8],
  [195, 0.8],
  [230, 0.765],
  [260, 0.73],
  [300, 0.72],
  [330, 0.725],
  [360, 0.725],
];

function signalLightness(hue: number): number {
  let [fromHue, fromLightness] = [0, 0.725];
  for (const [toHue, toLightness] of LIGHTNESS) {
    if (hue <= toHue && toHue > fromHue) {
      const t = (hue - fromHue) / (toHue - fromHue);
      return fromLightness + (toLightness - fromLightness) * t * t * (3 - 2 * t);
    }
    [fromHue, fromLightness] = [toHue, toLightness];
  }
  return fromLightness;
}

const fitToGamut = (L: number, C: number, h: number): Oklch => ({
  l: +L.toFixed(3),
  c: +Math.min(C, maxChroma(L, h) * 0.985).toFixed(4),
  h: +h.toFixed(2),
});

/** `signal` is for fills and for text on dark; `ink` is for text and marks on light. */
export function weekColor(week: number, hemisphere: Hemisphere): WeekColor {
  const h = weekHue(week, hemisphere);
  const signal = fitToGamut(signalLightness(h), 0.185, h);
  const ink = fitToGamut(0.48, 0.17, h);
  return { week, h, signal, ink, hex: oklchToHex(signal.l, signal.c, h) };
}
