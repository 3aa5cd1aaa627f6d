import type { TrackIdea } from './track-idea.ts';

export const julyToSeptember: readonly TrackIdea[] = [
  {
    week: 27,
    title: 'Breath Smoke',
    genre: 'Drum & Bass',
    bpm: 173,
    key: 'G minor',
    description:
      'Running for the first bus in Bloemfontein, in July, in the wrong jacket. It does not slow down and neither did the driver.',
  },
  {
    week: 28,
    title: 'Berg Wind',
    genre: 'Afro House',
    bpm: 122,
    key: 'E minor',
    description:
      'Warm air in the wrong month. Drums from the Winterberg side, a whistle from no side in particular.',
  },
  {
    week: 29,
    title: 'Night Bus to Durban',
    genre: 'Gqom',
    bpm: 124,
    key: 'A minor',
    description:
      'Half an hour of the seven it takes, from Van Reenen down. Reclining seat, reading light, no reading.',
    isLong: true,
  },
  {
    week: 30,
    title: 'Half Term',
    genre: 'Broken Beat',
    bpm: 121,
    key: 'C major',
    description: 'School is out and so is the drummer. The hi-hats were left in charge.',
  },
  {
    week: 31,
    title: 'Karoo Radio',
    genre: 'Lo-fi House',
    bpm: 116,
    key: 'F# minor',
    description:
      'One station between Beaufort West and Three Sisters, and it fades every time the road bends.',
  },
  {
    week: 32,
    title: 'Ice in the Rooibos',
    genre: 'Amapiano',
    bpm: 112,
    key: 'Bb minor',
    description:
      'Winter sun in Clanwilliam, tea that has changed its mind. Piano for people who sit on walls.',
  },
  {
    week: 33,
    title: 'Thaw',
    genre: 'Ambient',
    bpm: 80,
    key: 'G major',
    description:
      'Snow coming off a roof in Rhodes, Eastern Cape, recorded over three days and told in about two minutes.',
  },
  {
    week: 34,
    title: 'Namaqua Bloom',
    genre: 'Afro House',
    bpm: 121,
    key: 'D major',
    description:
      'The flowers face the sun, so drive with it behind you. That is the only instruction we got and it also works for the marimba.',
  },
  {
    week: 35,
    title: 'Ten Rand Taxi',
    genre: 'Amapiano',
    bpm: 114,
    key: 'F# minor',
    description:
      'Short left, after the robot. The fare went up during the recording and the bass with it.',
  },
  {
    week: 36,
    title: 'First Braai',
    genre: 'Amapiano',
    bpm: 113,
    key: 'C minor',
    description:
      'Spring is official once someone in Benoni stands outside in shorts, holding tongs, giving opinions.',
  },
  {
    week: 37,
    title: 'Petrichor',
    genre: 'Broken Beat',
    bpm: 123,
    key: 'E minor',
    description:
      'First rain on the Highveld and everyone pretending that they left the washing out on purpose.',
  },
  {
    week: 38,
    title: 'Green Robots',
    genre: 'Gqom',
    bpm: 126,
    key: 'C# minor',
    description:
      'Eleven traffic lights on Anton Lembede Street and every one of them in our favour. It will never happen again.',
  },
  {
    week: 39,
    title: 'Block Party',
    genre: 'Kwaito',
    bpm: 107,
    key: 'C major',
    description:
      'Heritage weekend in Langa: one street, two gazebos, three aunties on the microphone.',
  },
  {
    week: 39,
    title: 'Block Party (After the Gazebos)',
    genre: 'Deep House',
    bpm: 119,
    key: 'A minor',
    description:
      'The same street at one in the morning, stacking chairs. Someone left the mixer on.',
  },
];
