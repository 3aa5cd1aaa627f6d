import { useEffect } from 'react';
import { stoppedElsewhere } from '#web/player/session/stopped-elsewhere.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { Button } from '#web/ui/button.tsx';

const looks = {
  bar: 'fixed inset-x-0 bottom-[calc(var(--dock)+var(--note,0px))] z-40 justify-center max-md:flex-wrap border-t border-line bg-overlay px-4 py-2 md:left-(--sidebar)',
  stage: 'mt-2 shrink-0 rounded-panel bg-overlay p-4 @max-3xl/expanded:flex-col',
};

/** Says in the player why it stopped, until it plays again. */
export function StoppedElsewhereNote({
  message,
  look,
}: {
  message: string;
  look: keyof typeof looks;
}) {
  const player = usePlayer();
  const isActive = usePlayerState(({ isPlaying, isStarting }) => isPlaying || isStarting);
  useEffect(() => {
    if (isActive) stoppedElsewhere.set(null);
  }, [isActive]);
  if (isActive) return null;
  return (
    <div role="status" className={`flex items-center gap-x-5 gap-y-2 ${looks[look]}`}>
      <p className="min-w-0 text-text-2">{message}</p>
      <Button variant="line" onClick={player.play} className="shrink-0">
        Play here
      </Button>
    </div>
  );
}
