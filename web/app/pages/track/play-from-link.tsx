import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { TrackDetail } from '#contract/tracks.ts';
import { useTrackPlayback } from '#web/features/player/use-track-playback.ts';
import { useQueryParam } from '#web/lib/use-query-param.ts';
import { chapterStart } from './track-chapters.tsx';

/** A mix is shorter than a day. */
export const parseStartSecond = (text: string | null): number | null =>
  text && /^\d{1,5}$/.test(text) ? Number(text) : null;

/**
 * `/track/{id}?t=312` plays from that second: at once when the link was followed on this site, with
 * the first press of play when the page was opened from outside and may not sound by itself.
 */
export function PlayFromLink({ track }: { track: TrackDetail }) {
  const second = parseStartSecond(useQueryParam('t'));
  const [, navigate] = useLocation();
  const { isActive, playFrom } = useTrackPlayback(track, [track]);
  const opened = useRef({ link: '', maySound: false });
  useEffect(() => {
    if (second === null) return;
    const link = `${track.id}?${second}`;
    if (opened.current.link !== link)
      opened.current = { link, maySound: navigator.userActivation?.hasBeenActive ?? false };
    const start = chapterStart({ at: second, title: '', artist: null }, track);
    if (start !== null && !isActive && !opened.current.maySound) return;
    opened.current = { link: '', maySound: false };
    if (start !== null) playFrom(start);
    // Coming back to this page is not another wish to hear it from there.
    navigate(`/track/${track.id}`, { replace: true });
  }, [second, track, isActive, navigate, playFrom]);
  return null;
}
