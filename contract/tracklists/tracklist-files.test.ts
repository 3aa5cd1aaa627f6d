import { describe, expect, it } from 'vitest';
import { isTracklistFile, pairByName, pairChosenFiles } from './tracklist-files.ts';

const files = (...names: string[]) => names.map((name) => ({ name }));
const summarise = ({ audioFiles, unpaired }: ReturnType<typeof pairByName<{ name: string }>>) => ({
  audioFiles: audioFiles.map(({ audio, tracklists }) => [
    audio.name,
    ...tracklists.map(({ name }) => name),
  ]),
  unpaired: unpaired.map(({ name }) => name),
});

describe('a tracklist beside its mix', () => {
  it('has the name of the mix, in any case and composition of its letters', () => {
    const decomposed = 'Cafe\u0301';
    expect(
      summarise(
        pairByName(
          files('a.wav', 'A.CUE', 'b.flac', 'b.flac.txt', `${decomposed}.nml`, 'Café.mp3'),
        ),
      ),
    ).toEqual({
      audioFiles: [
        ['a.wav', 'A.CUE'],
        ['b.flac', 'b.flac.txt'],
        ['Café.mp3', `${decomposed}.nml`],
      ],
      unpaired: [],
    });
  });

  it('is in the same folder', () => {
    expect(summarise(pairByName(files('one/mix.wav', 'two/mix.cue')))).toEqual({
      audioFiles: [['one/mix.wav']],
      unpaired: ['two/mix.cue'],
    });
  });

  it('may have several formats: the one that has times comes first', () => {
    const { audioFiles } = summarise(
      pairByName(files('mix.txt', 'mix.m3u8', 'mix.cue', 'mix.wav')),
    );
    expect(audioFiles).toEqual([['mix.wav', 'mix.cue', 'mix.m3u8', 'mix.txt']]);
  });

  it('has any name when one of each was chosen', () => {
    expect(summarise(pairChosenFiles(files('history.csv', 'wk47.wav')))).toEqual({
      audioFiles: [['wk47.wav', 'history.csv']],
      unpaired: [],
    });
    const two = files('history.csv', 'wk47.wav', 'wk48.wav');
    expect(summarise(pairChosenFiles(two)).unpaired).toEqual(['history.csv']);
    const ownToo = files('wk47.cue', 'history.csv', 'wk47.wav');
    expect(summarise(pairChosenFiles(ownToo))).toEqual({
      audioFiles: [['wk47.wav', 'wk47.cue']],
      unpaired: ['history.csv'],
    });
  });

  it('is known by the ending of its name', () => {
    expect(['a.cue', 'a.NML', 'a.m3u8'].every(isTracklistFile)).toBe(true);
    expect(['a.wav', 'cue', 'a.cue.wav', 'a.json'].some(isTracklistFile)).toBe(false);
  });
});
