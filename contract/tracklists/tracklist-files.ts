/** A list of a few hundred names, with everything that a DJ program writes beside them, is smaller. */
export const MAX_TRACKLIST_KB = 512;
export const MAX_TRACKLIST_BYTES = MAX_TRACKLIST_KB * 1024;

/** What DJ programs write; of several for one mix, those that usually have times come first. */
const EXTENSIONS = ['cue', 'nml', 'csv', 'tsv', 'html', 'htm', 'm3u8', 'm3u', 'txt', 'xml'];

/** For a file field. */
export const TRACKLIST_ACCEPT = EXTENSIONS.map((extension) => `.${extension}`).join(',');

const ENDING = /\.([^./\\]+)$/;
const rankOf = (name: string): number =>
  EXTENSIONS.indexOf(ENDING.exec(name)?.[1]?.toLowerCase() ?? '');

export const isTracklistFile = (name: string): boolean => rankOf(name) >= 0;

type NamedFile = { name: string };
export type AudioFile<F> = { audio: F; tracklists: F[] };
export type PairedFiles<F> = { audioFiles: AudioFile<F>[]; unpaired: F[] };

const toKey = (name: string): string => name.normalize('NFC').toLowerCase();
const withoutEnding = (name: string): string => toKey(name).replace(ENDING, '');

/** `mix.cue` and `mix.wav.cue` belong to `mix.wav`. A name may contain its folder. */
export function pairByName<F extends NamedFile>(files: readonly F[]): PairedFiles<F> {
  const tracklists = files
    .filter(({ name }) => isTracklistFile(name))
    .toSorted((a, b) => rankOf(a.name) - rankOf(b.name));
  const byName = Map.groupBy(tracklists, ({ name }) => withoutEnding(name));
  const audioFiles = files
    .filter(({ name }) => !isTracklistFile(name))
    .map((audio) => ({
      audio,
      tracklists: [withoutEnding(audio.name), toKey(audio.name)].flatMap(
        (key) => byName.get(key) ?? [],
      ),
    }));
  const paired = new Set(audioFiles.flatMap((each) => each.tracklists));
  return { audioFiles, unpaired: tracklists.filter((file) => !paired.has(file)) };
}

/** Files that someone chose together: one mix and one tracklist belong together, whatever their names. */
export function pairChosenFiles<F extends NamedFile>(files: readonly F[]): PairedFiles<F> {
  const { audioFiles, unpaired } = pairByName(files);
  const [only, ...others] = audioFiles;
  if (!only || others.length > 0 || only.tracklists.length > 0 || unpaired.length !== 1)
    return { audioFiles, unpaired };
  return { audioFiles: [{ ...only, tracklists: unpaired }], unpaired: [] };
}
