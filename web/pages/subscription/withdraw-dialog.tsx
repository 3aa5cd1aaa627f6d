import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Subscription } from '#contract/billing.ts';
import { call, describeFailure } from '#web/lib/api/api.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Dialog, DialogClose, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { subscriptionMutation } from '#web/features/billing/subscription-changes.ts';

type WithdrawDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  amount: number;
  currency: Subscription['currency'];
};

export function WithdrawDialog({ open, onOpenChange, amount, currency }: WithdrawDialogProps) {
  const withdraw = useMutation(
    subscriptionMutation(useQueryClient(), () => call('POST /api/subscription/withdraw')),
  );
  const money = formatMoney(amount, currency);

  async function confirm(): Promise<void> {
    if (withdraw.isPending) return;
    const done = await withdraw.mutateAsync().catch(() => null);
    if (!done) return;
    onOpenChange(false);
    showToast({
      title: 'Cancelled',
      description: done.withdrawal?.isRequested
        ? `Your refund of ${money} is on its way. We’ll e-mail you when it’s done.`
        : `We’ve refunded ${money}. Your bank may take a few days to show it.`,
    });
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="Cancel and get your money back"
        description={`We refund ${money}, all of it, to the card you paid with. Your subscription and your Premium access end now, and nothing more is charged. You can do this once.`}
        footer={
          <>
            <Button
              variant="danger"
              size="lg"
              aria-disabled={withdraw.isPending}
              onClick={() => void confirm()}
            >
              {withdraw.isPending ? 'Refunding…' : `Cancel and refund ${money}`}
            </Button>
            <DialogClose asChild>
              <Button variant="quiet" size="lg">
                Keep Premium
              </Button>
            </DialogClose>
          </>
        }
      >
        {withdraw.isError && (
          <Notice
            tone="danger"
            title={describeFailure(
              withdraw.error,
              'Couldn’t cancel. Check your connection and try again.',
            )}
          />
        )}
      </DialogContent>
    </Dialog>
  );
}
