import type { TrackIdea } from './track-idea.ts';

export const aprilToJune: readonly TrackIdea[] = [
  {
    week: 14,
    title: 'Spare Key',
    genre: 'Deep House',
    bpm: 119,
    key: 'C minor',
    description:
      'Locked out in Melville with a laptop and a full battery. It could have been worse.',
  },
  {
    week: 15,
    title: 'Copper & Rain',
    genre: 'Broken Beat',
    bpm: 124,
    key: 'A minor',
    description:
      'A tin roof in Sabie keeps better time than most drummers, so we let it count us in.',
  },
  {
    week: 16,
    title: 'Log Drum Logic',
    genre: 'Amapiano',
    bpm: 113,
    key: 'E minor',
    description:
      'An argument in seven parts. The log drum is wrong about the second one but says it so well.',
  },
  {
    week: 17,
    title: 'Freedom Square',
    genre: 'Kwaito',
    bpm: 108,
    key: 'F major',
    description:
      'For the long weekend in Kliptown: brass band outside, speakers inside, and no agreement on which is the party.',
  },
  {
    week: 18,
    title: 'Wet Concrete',
    genre: 'Gqom',
    bpm: 125,
    key: 'F minor',
    description: 'A parking garage off Umgeni Road after a storm. The reverb is free until six.',
  },
  {
    week: 19,
    title: 'Last Warm Night',
    genre: 'Deep House',
    bpm: 121,
    key: 'B minor',
    description:
      'Someone checks the forecast halfway through and the chords go minor. They were minor before, but now you notice.',
  },
  {
    week: 20,
    title: 'Switchboard',
    genre: 'Gqom',
    bpm: 127,
    key: 'G# minor',
    description:
      'Every line is engaged and all of them are drums. Built from one telephone exchange and several bad decisions.',
  },
  {
    week: 21,
    title: 'Blue Hour, Joburg',
    genre: 'Deep House',
    bpm: 120,
    key: 'F minor',
    description:
      'Hillbrow at twenty to six, when the tower lights come on before anyone admits that it is dark.',
  },
  {
    week: 22,
    title: 'Frost on the Decks',
    genre: 'Techno',
    bpm: 135,
    key: 'E minor',
    description: 'Minus four in Sutherland. The platters needed ten minutes and so did we.',
  },
  {
    week: 23,
    title: 'Two Blankets',
    genre: 'Lo-fi House',
    bpm: 117,
    key: 'D major',
    description:
      'Recorded in bed in Observatory with a heater that clicks at 117 beats a minute. We tuned to it.',
  },
  {
    week: 24,
    title: 'Candle Hours',
    genre: 'Ambient',
    bpm: 72,
    key: 'A minor',
    description:
      'Two hours without power in Mthatha and a keyboard on its last bar of battery. The ending was not our decision.',
    isSubscriberOnly: true,
  },
  {
    week: 25,
    title: 'Solstice Low',
    genre: 'Deep House',
    bpm: 118,
    key: 'C# minor',
    description:
      'The shortest day deserves the longest bass. Nothing above the waist until the third track.',
  },
  {
    week: 26,
    title: 'Stage Four',
    genre: 'Gqom',
    bpm: 126,
    key: 'F minor',
    description:
      'Recorded through a Durban power cut on one battery and two borrowed speakers. Broken kicks, sirens a long way off.',
  },
];
