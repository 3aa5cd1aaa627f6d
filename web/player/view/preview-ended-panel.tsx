import { useQuery } from '@tanstack/react-query';
import { Lock } from '#web/ui/icons.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { plansQuery } from '#web/features/billing/api.ts';
import { useUpgradePath } from '#web/lib/location/use-next.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';

/** How much of a mix comes after its preview. */
export function describeRemainder(duration: number): string {
  const seconds = Math.max(0, Math.round(duration - PREVIEW_SECONDS));
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  if (seconds < 120) return seconds === 60 ? '1 minute' : `1 min ${seconds - 60} s`;
  return `${Math.round(seconds / 60)} minutes`;
}

export function PreviewEndedPanel({ duration }: { duration: number }) {
  const player = usePlayer();
  const upgradePath = useUpgradePath();
  const { data: plans } = useQuery(plansQuery);
  return (
    <div
      role="status"
      className="mt-5 flex gap-3.5 rounded-panel bg-overlay p-4 @max-3xl/expanded:flex-col @3xl/expanded:items-center @3xl/expanded:gap-5 @3xl/expanded:pl-[22px]"
    >
      <Lock className="size-5 shrink-0" />
      <div className="min-w-0">
        <strong className="block text-18 font-semibold">
          Subscribe to listen to the full track
        </strong>
        <p className="text-text-2">
          Hear the other {describeRemainder(duration)}.
          {plans && ` From ${formatMoney(plans.monthly.amount, plans.currency)} a month.`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2 @max-3xl/expanded:*:grow @3xl/expanded:flex-nowrap @3xl/expanded:ml-auto @3xl/expanded:shrink-0">
        <Button variant="line" onClick={player.play}>
          Play again
        </Button>
        <LinkButton href={upgradePath} onClick={player.toggleExpanded}>
          Upgrade to Premium
        </LinkButton>
      </div>
    </div>
  );
}
