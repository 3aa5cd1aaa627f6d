import { oklchToHex, weekColor, weekHue, type Hemisphere } from '#contract/rules/week-colour.ts';

/** Mail programs know neither oklch nor variables. The values are those of web/styles/tokens.css. */
export const light = {
  ground: oklchToHex(0.962, 0.012, 85),
  text: oklchToHex(0.205, 0.012, 62),
  text2: oklchToHex(0.37, 0.014, 65),
  text3: oklchToHex(0.465, 0.014, 68),
  line: oklchToHex(0.88, 0.016, 82),
  action: oklchToHex(0.205, 0.012, 62),
  onAction: oklchToHex(0.975, 0.01, 85),
};
export const dark: typeof light = {
  ground: oklchToHex(0.158, 0.008, 62),
  text: oklchToHex(0.955, 0.014, 85),
  text2: oklchToHex(0.815, 0.014, 80),
  text3: oklchToHex(0.695, 0.014, 75),
  line: oklchToHex(0.292, 0.012, 62),
  action: oklchToHex(0.945, 0.02, 85),
  onAction: oklchToHex(0.185, 0.01, 62),
};

/** In light the week's colour is printed solid with ink on top; in dark it lights the numeral. */
export function stageColours(week: number, hemisphere: Hemisphere) {
  const hue = weekHue(week, hemisphere);
  const { hex, signal } = weekColor(week, hemisphere);
  return {
    light: {
      stage: hex,
      numeral: oklchToHex(0.18, 0.03, hue),
      text: oklchToHex(0.18, 0.03, hue),
      text2: oklchToHex(0.27, 0.045, hue),
      rest: oklchToHex(signal.l - 0.13, signal.c * 0.8, hue),
    },
    dark: {
      stage: oklchToHex(0.2, 0.019, hue),
      numeral: hex,
      text: oklchToHex(0.955, 0.014, 85),
      text2: oklchToHex(0.8, 0.014, 80),
      rest: oklchToHex(0.4, 0.05, hue),
    },
  };
}
