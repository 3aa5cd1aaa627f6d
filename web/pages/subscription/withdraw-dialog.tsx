import { useQueryClient } from '@tanstack/react-query';
import type { Subscription } from '#contract/billing.ts';
import { call } from '#web/lib/api/api.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { ReasonDialog } from '#web/ui/overlays/reason-dialog.tsx';
import { saveSubscription } from '#web/features/billing/subscription-changes.ts';

type WithdrawDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  amount: number;
  currency: Subscription['currency'];
};

export function WithdrawDialog({ open, onOpenChange, amount, currency }: WithdrawDialogProps) {
  const client = useQueryClient();
  const money = formatMoney(amount, currency);
  return (
    <ReasonDialog
      open={open}
      title="Cancel and get your money back"
      description={`We refund ${money}, all of it, to the card you paid with. Your subscription and your Premium access end now, and nothing more is charged. You can do this once.`}
      confirmLabel={`Cancel and refund ${money}`}
      busyLabel="Refunding…"
      cancelLabel="Keep Premium"
      size="lg"
      isDestructive
      failed="Couldn’t cancel. Check your connection and try again."
      onClose={() => onOpenChange(false)}
      onConfirm={async () => {
        const done = await call('POST /api/subscription/withdraw');
        await saveSubscription(client, done);
        showToast({
          title: 'Cancelled',
          description: done.withdrawal?.isRequested
            ? `Your refund of ${money} is on its way. We’ll e-mail you when it’s done.`
            : `We’ve refunded ${money}. Your bank may take a few days to show it.`,
        });
      }}
    />
  );
}
