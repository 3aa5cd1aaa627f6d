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

export type Benefit = { icon: IconComponent; text: string };

export const freeBenefits: readonly Benefit[] = [
  { icon: Timer, text: `${PREVIEW_TEXT} of every mix` },
  { icon: ChartNoAxesColumn, text: 'Browse the Top 20 and the full archive' },
  { icon: Heart, text: 'Favorites and playlists' },
];

/** The premium dialog lists these four. */
export const premiumExtras: readonly Benefit[] = [
  { icon: ArrowDownToLine, text: 'Unlimited downloads of all tracks' },
  { icon: CalendarClock, text: 'Early access to new weekly releases' },
  { icon: AudioLines, text: 'High-quality lossless audio formats' },
  { icon: Disc3, text: 'Exclusive subscriber-only tracks' },
];

export const premiumBenefits: readonly Benefit[] = [
  { icon: Play, text: 'Every mix in full, from start to finish' },
  ...premiumExtras,
];
