export const SAMPLE_RATE = 44_100;

/** A rendered sound. A mono sound has the same array on both sides. */
export type Sample = { left: Float32Array; right: Float32Array };

export const toFrames = (seconds: number): number => Math.round(seconds * SAMPLE_RATE);

export const mono = (data: Float32Array): Sample => ({ left: data, right: data });

/** The coefficient of an exponential that has fallen to 1/e after `seconds`. */
export const decayPerSample = (seconds: number): number =>
  Math.exp(-1 / Math.max(1, seconds * SAMPLE_RATE));

/** Brings the louder side to `peak`, so that every sound enters the mixer at a known level. */
export function normalise(sample: Sample, peak = 1): Sample {
  const sides = sample.left === sample.right ? [sample.left] : [sample.left, sample.right];
  let highest = 1e-9;
  for (const side of sides) {
    for (let i = 0; i < side.length; i++) highest = Math.max(highest, Math.abs(side[i] as number));
  }
  const gain = peak / highest;
  for (const side of sides) {
    for (let i = 0; i < side.length; i++) side[i] = (side[i] as number) * gain;
  }
  return sample;
}

/** Fades both ends briefly: a sound that doesn't start and end at zero clicks. */
export function fadeEdges(
  data: Float32Array,
  inSeconds = 0.0005,
  outSeconds = 0.004,
): Float32Array {
  const fadeIn = Math.min(data.length, toFrames(inSeconds));
  const fadeOut = Math.min(data.length, toFrames(outSeconds));
  for (let i = 0; i < fadeIn; i++) data[i] = ((data[i] as number) * i) / fadeIn;
  for (let i = 0; i < fadeOut; i++) {
    const at = data.length - 1 - i;
    data[at] = ((data[at] as number) * i) / fadeOut;
  }
  return data;
}
