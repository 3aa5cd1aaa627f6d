import type { Chapter } from '#contract/tracks.ts';
import type { TracksTable } from '../db/types/tables.ts';
import { indexTrack } from '../features/search/service.ts';
import { seedTrack } from './seed-track.ts';
import type { TestApp } from './test-app.ts';

export type CatalogueEntry = Partial<TracksTable> & { title: string; tracklist?: Chapter[] };

/** Inserts a track together with its search index entry, in one transaction. */
export async function addTrack(test: TestApp, { tracklist = [], ...change }: CatalogueEntry) {
  const { database, storage, clock } = test.deps;
  return database.db.transaction().execute(async (tx) => {
    const track = await seedTrack(
      { db: tx, storage, now: clock.now() },
      {
        description: '',
        genre: null,
        duration_ms: 3_600_000,
        chapters: JSON.stringify(tracklist),
        ...change,
      },
    );
    await indexTrack(tx, database.dialect, track);
    return track;
  });
}

const chapter = (at: number | null, artist: string | null, title: string): Chapter => ({
  at,
  artist,
  title,
});

/** A few dozen tracks that are easily confused. */
export const searchCatalogue: CatalogueEntry[] = [
  { title: 'Golden Hour Pressure', week: 46, genre: 'Amapiano', description: 'Log drums.' },
  { title: 'Hour of the Golden Robots', week: 44, genre: 'Techno' },
  { title: 'Slow Lift', week: 43, genre: 'Deep House', description: 'For the golden hour at sea.' },
  { title: 'Goldenrod', week: 42, genre: 'Ambient' },
  { title: 'Gold', week: 41, genre: 'Ambient' },
  { title: 'Night Bus to Soweto', week: 12, genre: 'Kwaito', description: 'Two decks, one take.' },
  { title: 'Night Bus Back', week: 12, year: 2025, genre: 'Kwaito' },
  { title: '12 Steps Down', week: 30, genre: 'Gqom' },
  { title: 'Concrete Choir', week: 31, genre: 'Gqom', description: 'Twelve inches, 12 of them.' },
  { title: 'Harbour Lights', week: 29, genre: 'Deep House' },
  { title: 'Deep Field', week: 28, genre: 'Techno', description: 'A house with no doors.' },
  { title: 'House of Mirrors', week: 27, genre: 'Afro House' },
  { title: 'Lo-Fi Kitchen', week: 26, genre: 'Lo-Fi House' },
  {
    title: 'Relay Sessions',
    week: 25,
    genre: 'Broken Beat',
    tracklist: [
      chapter(0, 'Relay Room', 'Substation Intro'),
      chapter(312, 'Kasi Voltage', 'Umlazi Siren'),
      chapter(745.5, null, 'Candle Math'),
      chapter(null, 'Noxolo K', 'Isibani'),
    ],
  },
  {
    title: 'Weather Report',
    week: 24,
    genre: 'Ambient',
    description: 'Umlazi at four in the morning; a siren far away.',
  },
  { title: 'Café Déjà Vu', week: 23, genre: 'Afro House', description: 'Bjørn in Malmö.' },
  { title: 'Cafeteria', week: 22, genre: 'Broken Beat' },
  { title: 'Roll Over', week: 21, genre: 'Drum & Bass' },
  { title: 'The The', week: 20, genre: 'Techno' },
  { title: "Don't Blink", week: 19, genre: 'Techno' },
  { title: 'Подъезд', week: 18, genre: 'Techno', description: 'From Москва with bass.' },
  ...Array.from({ length: 9 }, (_, i) => ({
    title: `Kelvin ${['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'][i]}`,
    week: 1 + i,
    genre: 'Amapiano',
    year: 2025,
    description: 'Ngiyabonga to everyone who stayed.',
  })),
];
