import { Suspense, useEffect, useState } from 'react';
import type { Track } from '#contract/tracks.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { lazyComponent } from '#web/lib/schedule/lazy-component.ts';
import { afterHydration } from '#web/lib/schedule/schedule.ts';
import { boot } from '#web/lib/store/boot.ts';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import type { MomentPartName } from './moment-part.tsx';

const MomentPart = lazyComponent(() => import('./moment-part.tsx'), 'MomentPart');

/** Room that is kept while its code loads, so that nothing below moves. */
const ROOM: Record<MomentPartName, string> = { marks: 'h-2', row: 'min-h-11', list: '' };

/** For members, where the site has moments. Its code loads once the page is usable. */
export function Moments({ part, track }: { part: MomentPartName; track: Track }) {
  const { user } = useCurrentUser();
  const [isDue, setDue] = useState(false);
  const isOn = boot.hasMoments && user !== null;
  useEffect(() => (isOn ? afterHydration(() => setDue(true)) : undefined), [isOn]);
  if (!isOn) return null;
  const room = <div className={`shrink-0 ${ROOM[part]}`} />;
  if (!isDue) return room;
  return (
    <ErrorBoundary fallback={room} resetKey={track.id}>
      <Suspense fallback={room}>
        <MomentPart key={track.id} part={part} track={track} />
      </Suspense>
    </ErrorBoundary>
  );
}
