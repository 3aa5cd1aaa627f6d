import type { TrackIdea } from './track-idea.ts';

export const octoberToDecember: readonly TrackIdea[] = [
  {
    week: 40,
    title: 'Salt & Sirens',
    genre: 'Gqom',
    bpm: 126,
    key: 'F minor',
    description:
      'The harbour wall at Durban Point with the tugs answering back. Wear something that can get wet.',
  },
  {
    week: 41,
    title: 'Open Windows',
    genre: 'Deep House',
    bpm: 121,
    key: 'G minor',
    description:
      'Fourth floor, Killarney, no one in the building asked us to turn it down. One person asked us to turn it round.',
  },
  {
    week: 42,
    title: 'Slow Bounce Theory',
    genre: 'Amapiano',
    bpm: 112,
    key: 'D minor',
    description:
      'Peer-reviewed in a Mamelodi backyard. The conclusion is the same as the introduction, only with more people.',
  },
  {
    week: 43,
    title: 'Vaal River Runners',
    genre: 'Drum & Bass',
    bpm: 174,
    key: 'F minor',
    description: 'Fast water, flat boats, a 174 heart rate. The calm part is the bridge at Parys.',
    isSubscriberOnly: true,
  },
  {
    week: 44,
    title: 'Afternoon Static',
    genre: 'Afro House',
    bpm: 122,
    key: 'B minor',
    description:
      'The hour before a Pretoria storm, when the jacarandas and your hair agree on something.',
  },
  {
    week: 45,
    title: 'Mango Season',
    genre: 'Amapiano',
    bpm: 113,
    key: 'A minor',
    description:
      'Bought by the crate outside Hoedspruit and mixed with sticky hands. There are fingerprints on every fader.',
  },
  {
    week: 46,
    title: 'Golden Hour Pressure',
    genre: 'Amapiano',
    bpm: 113,
    key: 'F minor',
    description:
      'Log drums at walking pace, three singers who never meet, and the sun going down over the N2.',
  },
  {
    week: 47,
    title: 'Jacaranda Carpet',
    genre: 'Broken Beat',
    bpm: 120,
    key: 'Eb major',
    description:
      'Purple underfoot all the way down Arcadia Street. Step off the beat or you will slip.',
  },
  {
    week: 48,
    title: 'Payday Friday',
    genre: 'Kwaito',
    bpm: 109,
    key: 'G major',
    description:
      'The queue at the bank machine in Umlazi was longer than this mix, and had better dancing.',
  },
  {
    week: 49,
    title: 'Trampoline Weather',
    genre: 'Drum & Bass',
    bpm: 172,
    key: 'E minor',
    description:
      'Up in East London, down in Gonubie, and a warning from someone’s mother throughout.',
  },
  {
    week: 50,
    title: 'Coast Road, No Signal',
    genre: 'Afro House',
    bpm: 120,
    key: 'F# minor',
    description:
      'Half an hour between Kei Mouth and the next bar of reception. No one could reach us to complain.',
    isLong: true,
  },
  {
    week: 51,
    title: 'Out of Office',
    genre: 'Lo-fi House',
    bpm: 119,
    key: 'A major',
    description: 'Thank you for your message. We are in Coffee Bay and the answer is no.',
  },
  {
    week: 52,
    title: 'High Summer Circuit',
    genre: 'Amapiano',
    bpm: 114,
    key: 'C# minor',
    description:
      'Six family lunches in four provinces, one playlist that offended no one. Here is the other one.',
  },
  {
    week: 53,
    title: 'The Week That Fits Nowhere',
    genre: 'Techno',
    bpm: 133,
    key: 'F minor',
    description:
      'Some years have one week too many. We spent it in a Paarl wine cellar with the lights off.',
  },
];
