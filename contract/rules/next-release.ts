import { DAY, HOUR, MINUTE } from './time.ts';

/** A planned release: nothing but its week and its hours. */
export type UpcomingRelease = {
  year: number;
  weekNumber: number;
  /** When it is out for everyone. */
  at: number;
  /** When subscribers hear it, if that is earlier. */
  earlyAt: number | null;
};

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** `1 day 21 hours`, `5 hours 10 minutes`, `1 minute`: two units, and never less than a minute. */
export function formatCountdown(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE)) * MINUTE;
  const parts: [number, string][] =
    minutes >= DAY
      ? [
          [Math.floor(minutes / DAY), 'day'],
          [Math.floor((minutes % DAY) / HOUR), 'hour'],
        ]
      : [
          [Math.floor(minutes / HOUR), 'hour'],
          [(minutes % HOUR) / MINUTE, 'minute'],
        ];
  return parts.flatMap(([count, unit]) => (count > 0 ? [plural(count, unit)] : [])).join(' ');
}

/** When a listener hears it. */
export const hearsAt = ({ at, earlyAt }: UpcomingRelease, isSubscriber: boolean): number =>
  isSubscriber ? (earlyAt ?? at) : at;

/** The one that a listener waits for: subscribers may already hear the first. */
export const findNextRelease = (
  upcoming: readonly UpcomingRelease[],
  isSubscriber: boolean,
  now: number,
): UpcomingRelease | undefined => upcoming.find((release) => hearsAt(release, isSubscriber) > now);
