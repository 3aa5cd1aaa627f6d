import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { Track, TrackDetail } from '#contract/tracks.ts';
import { useTrackPlayback } from '#web/player/view/use-track-playback.ts';
import { findLinkedStart, parseStartSecond } from '#web/features/sharing/share-link.ts';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';

/** The second of the track that this page's address asks for, if the user may play it. */
export function useLinkedSecond(track: Track): number | null {
  const second = parseStartSecond(useQueryParam('t'));
  return findLinkedStart(second, track) === null ? null : second;
}

/**
 * `/track/{id}?t=312` plays from that second. A link on this site starts it immediately; a page
 * opened from elsewhere may not autoplay, so it starts there with the first press of play.
 */
export function PlayFromLink({ track }: { track: TrackDetail }) {
  const second = parseStartSecond(useQueryParam('t'));
  const [, navigate] = useLocation();
  const { isActive, playFrom } = useTrackPlayback(track, () => [track]);
  const opened = useRef({ link: '', mayAutoplay: false });
  useEffect(() => {
    if (second === null) return;
    const link = `${track.id}?${second}`;
    if (opened.current.link !== link)
      opened.current = { link, mayAutoplay: navigator.userActivation?.hasBeenActive ?? false };
    const start = findLinkedStart(second, track);
    if (start !== null && !isActive && !opened.current.mayAutoplay) return;
    opened.current = { link: '', mayAutoplay: false };
    if (start !== null) playFrom(start);
    // Going back to this page must not jump there again.
    navigate(`/track/${track.id}`, { replace: true });
  }, [second, track, isActive, navigate, playFrom]);
  return null;
}
