import { useEffect, useState, type ReactNode } from 'react';
import { DAY, HOUR } from '#contract/rules/time.ts';
import type { Track } from '#contract/tracks.ts';
import { Dot } from '#web/ui/facts.tsx';
import { useOpenedAt } from '#web/lib/format/now.ts';
import { formatDay, formatTime, formatWeekdayName } from '#web/lib/format/format.ts';

/** `Tuesday 13:42`; with the date if it is six days away or more. */
export function formatPublicHour(at: number, now: number): string {
  const date = at - now >= 6 * DAY ? `${formatDay(at)} ` : '';
  return `${formatWeekdayName(at)} ${date}${formatTime(at)}`;
}

/** When a track becomes public; null once it is. */
export function usePublicHour(at: number): string | null {
  const [now, setNow] = useState(useOpenedAt());
  useEffect(() => {
    if (at <= now) return;
    // No longer than an hour, because a sleeping computer also stops its timers.
    const timer = setTimeout(() => setNow(Date.now()), Math.min(at - now, HOUR));
    return () => clearTimeout(timer);
  }, [at, now]);
  return at > now ? formatPublicHour(at, now) : null;
}

type EarlyAccessProps = {
  track: Track;
  /** Separates it from what follows in the same line. */
  end?: ReactNode;
  className?: string;
};

/** `Early access · public Tuesday 13:42`; nothing once the track is public. */
export function EarlyAccess(props: EarlyAccessProps) {
  const { publishedAt, unreleased } = props.track;
  const isEarly = publishedAt > useOpenedAt();
  return isEarly && !unreleased ? <PublicHour {...props} /> : null;
}

/** On its own, because most tracks in a list are public and need no clock. */
function PublicHour({ track, end, className = '' }: EarlyAccessProps) {
  const hour = usePublicHour(track.publishedAt);
  if (!hour) return null;
  return (
    <>
      <span className={`font-semibold text-text ${className}`}>
        Early access
        <Dot />
        public {hour}
      </span>
      {end}
    </>
  );
}
