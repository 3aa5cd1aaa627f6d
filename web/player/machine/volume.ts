export const DEFAULT_VOLUME = 0.7;

/** Limited to its range; if it isn't a number, the volume stays as it was. */
export const limitVolume = (volume: number, current: number): number =>
  Number.isNaN(volume) ? current : Math.min(1, Math.max(0, volume));

/** The slider runs from 0 to 100 in steps of 1. */
export const volumeToSlider = (volume: number): number => Math.round(volume * 100);
export const sliderToVolume = (position: number): number => Math.round(position) / 100;
