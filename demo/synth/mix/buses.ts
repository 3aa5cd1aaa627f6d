export const BUS_NAMES = [
  'kick',
  'drums',
  'percussion',
  'bass',
  'chords',
  'pad',
  'lead',
  'effects',
] as const;
export type BusName = (typeof BUS_NAMES)[number];

export type BusSettings = {
  gain: number;
  /** How much quieter a kick makes it, 0 to 1. */
  duck: number;
  reverb: number;
  delay: number;
  /** Goes through the filter that opens and closes with the arrangement. */
  isSwept: boolean;
};

export const DEFAULT_BUSES: Record<BusName, BusSettings> = {
  kick: { gain: 0.6, duck: 0, reverb: 0, delay: 0, isSwept: false },
  drums: { gain: 0.8, duck: 0.1, reverb: 0.06, delay: 0, isSwept: false },
  percussion: { gain: 0.62, duck: 0.15, reverb: 0.12, delay: 0.05, isSwept: false },
  bass: { gain: 0.34, duck: 0.55, reverb: 0, delay: 0, isSwept: false },
  chords: { gain: 0.56, duck: 0.45, reverb: 0.2, delay: 0.12, isSwept: true },
  pad: { gain: 0.42, duck: 0.55, reverb: 0.25, delay: 0, isSwept: true },
  lead: { gain: 0.5, duck: 0.3, reverb: 0.3, delay: 0.3, isSwept: true },
  effects: { gain: 0.24, duck: 0.3, reverb: 0.25, delay: 0, isSwept: false },
};
