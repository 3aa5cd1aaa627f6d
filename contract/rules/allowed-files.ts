/** From when on the site no longer gives something; null if that isn't planned. */
export type FileEnds = {
  /** Files to keep: MP3 and lossless. */
  downloadsEnd: number | null;
  /** Lossless files alone. */
  losslessEnd: number | null;
  /** Saving in the app, as copies with a lease. */
  savingEnd: number | null;
};

/** The switches of a mix, as its row has them. */
export type TrackSwitches = Record<'has_downloads' | 'has_lossless' | 'has_saving', 0 | 1>;

/** What members may take with them. Streaming is always allowed. */
export type AllowedFiles = { mp3: boolean; flac: boolean; saving: boolean };

export const NO_ENDS: FileEnds = { downloadsEnd: null, losslessEnd: null, savingEnd: null };

/** A mix that turns nothing off. */
export const ALL_ON: TrackSwitches = { has_downloads: 1, has_lossless: 1, has_saving: 1 };

const isOn = (end: number | null, now: number): boolean => end === null || now < end;

/** The site and the mix must both allow it. Anything unclear is not allowed. */
export function findAllowedFiles(site: FileEnds, track: TrackSwitches, now: number): AllowedFiles {
  const mp3 = isOn(site.downloadsEnd, now) && track.has_downloads === 1;
  return {
    mp3,
    flac: mp3 && isOn(site.losslessEnd, now) && track.has_lossless === 1,
    saving: isOn(site.savingEnd, now) && track.has_saving === 1,
  };
}

/** What the site offers, whatever single mixes turn off. */
export const findOffers = (site: FileEnds, now: number): AllowedFiles =>
  findAllowedFiles(site, ALL_ON, now);
