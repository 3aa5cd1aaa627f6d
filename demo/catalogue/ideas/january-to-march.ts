import type { TrackIdea } from './track-idea.ts';

export const januaryToMarch: readonly TrackIdea[] = [
  {
    week: 1,
    title: 'First Light, Umhlanga',
    genre: 'Deep House',
    bpm: 120,
    key: 'A minor',
    description:
      'Recorded facing the sea at five in the morning, when the only other people awake were surfers and someone looking for a shoe.',
  },
  {
    week: 2,
    title: 'Kombi Windows Down',
    genre: 'Amapiano',
    bpm: 112,
    key: 'F minor',
    description: 'The aircon died at Harrismith. Everything after that is in the right order.',
  },
  {
    week: 3,
    title: 'Sea Point Steam',
    genre: 'Lo-fi House',
    bpm: 118,
    key: 'C major',
    description:
      'Promenade pace, salt on the tape heads. The dog in the second half is real and would not stop.',
  },
  {
    week: 4,
    title: 'Heat Index',
    genre: 'Afro House',
    bpm: 121,
    key: 'D minor',
    description:
      'Thirty-eight degrees in Upington and the marimba still would not sit down. Best heard near a tap.',
  },
  {
    week: 5,
    title: 'Borrowed Pool',
    genre: 'Amapiano',
    bpm: 113,
    key: 'G minor',
    description:
      'The neighbours in Midrand were in Mauritius. They have since heard the mix and asked for the tracklist.',
  },
  {
    week: 6,
    title: 'Slow Tar',
    genre: 'Kwaito',
    bpm: 104,
    key: 'G major',
    description:
      'Soft tar, low gears, windows that only go halfway. No one on this one is in a hurry.',
  },
  {
    week: 7,
    title: 'Lantern Static',
    genre: 'Ambient',
    bpm: 76,
    key: 'E minor',
    description:
      'A paraffin lamp, a shortwave set and a veranda outside Hogsback. The hiss is half of it.',
  },
  {
    week: 8,
    title: 'Rooftop, Braamfontein',
    genre: 'Amapiano',
    bpm: 114,
    key: 'C minor',
    description:
      'Half an hour above De Korte Street in one take. You can hear the moment the city turned its lights on, because everyone said so.',
    isLong: true,
  },
  {
    week: 9,
    title: 'Paper Moths',
    genre: 'Broken Beat',
    bpm: 122,
    key: 'F# minor',
    description:
      'Drums folded until they nearly tear. Made in a Grahamstown print shop with the machines still warm.',
  },
  {
    week: 10,
    title: 'Subs at Sunrise',
    genre: 'Techno',
    bpm: 132,
    key: 'A minor',
    description:
      'For the ones who paid and the ones who stayed. A quarry near Krugersdorp, a generator and one very patient security guard.',
    isSubscriberOnly: true,
  },
  {
    week: 11,
    title: 'Marabi Ghosts',
    genre: 'Kwaito',
    bpm: 106,
    key: 'Bb major',
    description:
      'Three old chords that Doornfontein never gave back, and a bass line that has been waiting since before the trams went.',
  },
  {
    week: 12,
    title: 'Equinox Pressure',
    genre: 'Techno',
    bpm: 134,
    key: 'D minor',
    description: 'Day and night get twelve hours each. The kick drum took its own share.',
  },
  {
    week: 12,
    title: 'Equinox Release',
    genre: 'Ambient',
    bpm: 74,
    key: 'D minor',
    description:
      'The same evening, four hours later, everyone lying down. A second mix, because the first one needed an apology.',
  },
  {
    week: 13,
    title: 'Long Weekend North',
    genre: 'Afro House',
    bpm: 120,
    key: 'G minor',
    description:
      'Past the Kranskop toll with a boot full of charcoal. Hand drums until Polokwane, then something sweeter.',
  },
];
