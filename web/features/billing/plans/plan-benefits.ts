import { findEndOf } from '#contract/rules/file-ends.ts';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';
import {
  ArrowDownToLine,
  AudioLines,
  CalendarClock,
  ChartNoAxesColumn,
  Disc3,
  Heart,
  Play,
  Timer,
  type IconComponent,
} from '#web/ui/icons.ts';
import { formatDate } from '#web/lib/format/format.ts';
import { boot, readOffers } from '#web/lib/store/boot.ts';

export type Benefit = { icon: IconComponent; text: string };

export const freeBenefits: readonly Benefit[] = [
  { icon: Timer, text: `${PREVIEW_TEXT} of every mix` },
  { icon: ChartNoAxesColumn, text: 'Browse the Top 20 and the full archive' },
  { icon: Heart, text: 'Favorites and playlists' },
];

/** Of what the site gives; with the day on which that ends, if it does. */
function listFiles(): Benefit[] {
  const { mp3, flac, saving } = readOffers();
  const ends = findEndOf(boot.fileEnds);
  const until = (end: number | null) => (end === null ? '' : ` until ${formatDate(end)}`);
  return [
    ...(mp3
      ? [{ icon: ArrowDownToLine, text: `Unlimited downloads of all tracks${until(ends.mp3)}` }]
      : saving
        ? [
            {
              icon: ArrowDownToLine,
              text: `Mixes saved in the app, to play offline${until(ends.saving)}`,
            },
          ]
        : []),
    { icon: CalendarClock, text: 'Early access to new weekly releases' },
    ...(flac
      ? [{ icon: AudioLines, text: `High-quality lossless audio formats${until(ends.flac)}` }]
      : []),
  ];
}

/** The premium dialog lists these: four, while the site gives all files. */
export const listPremiumExtras = (): readonly Benefit[] => [
  ...listFiles(),
  { icon: Disc3, text: 'Exclusive subscriber-only tracks' },
];

export const listPremiumBenefits = (): readonly Benefit[] => [
  { icon: Play, text: 'Every mix in full, from start to finish' },
  ...listPremiumExtras(),
];
