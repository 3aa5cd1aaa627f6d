import { AudioLines, CalendarClock, Disc3, Download, type LucideIcon } from 'lucide-react';

export type Benefit = { icon: LucideIcon; text: string };

export const premiumBenefits: Benefit[] = [
  { icon: Download, text: 'Unlimited downloads of all tracks' },
  { icon: CalendarClock, text: 'Early access to new weekly releases' },
  { icon: AudioLines, text: 'High-quality lossless audio formats' },
  { icon: Disc3, text: 'Exclusive subscriber-only tracks' },
];
