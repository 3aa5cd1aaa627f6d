import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Plan } from '#contract/rules/plans.ts';
import { call, describeFailure } from '#web/lib/api/api.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Dialog, DialogClose, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { subscriptionMutation } from '#web/features/billing/subscription-changes.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { planNames } from '#web/features/billing/plans/plan-texts.ts';
import { useDateContext, describePlanChange } from '#web/features/billing/subscription-texts.ts';

type ChangePlanDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  plan: Plan;
};

export function ChangePlanDialog(props: ChangePlanDialogProps) {
  const dates = useDateContext();
  const { open, onOpenChange, plan } = props;
  const { data: quote, error } = useQuery({
    ...apiQuery('GET /api/subscription/change', { query: { plan } }),
    enabled: open,
  });
  const change = useMutation(
    subscriptionMutation(useQueryClient(), () =>
      call('POST /api/subscription/change', { body: { plan } }),
    ),
  );
  const [failure, setFailure] = useState<string | null>(null);
  const problem = failure ?? (error ? describeFailure(error, 'Couldn’t load the price.') : null);
  const name = planNames[plan].toLowerCase();

  async function confirm(): Promise<void> {
    if (change.isPending || !quote) return;
    setFailure(null);
    try {
      await change.mutateAsync();
      onOpenChange(false);
      showToast({ title: `You’ll switch to ${name} at your next payment` });
    } catch (cause) {
      setFailure(describeFailure(cause, 'Couldn’t change your plan. Check your connection.'));
    }
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title={`Change to ${name}`}
        description={quote ? describePlanChange(quote, dates) : 'Checking the price…'}
        footer={
          <>
            <Button
              size="lg"
              aria-disabled={change.isPending || !quote}
              onClick={() => void confirm()}
            >
              {change.isPending ? 'Changing…' : `Change to ${name}`}
            </Button>
            <DialogClose asChild>
              <Button variant="quiet" size="lg">
                Keep current plan
              </Button>
            </DialogClose>
          </>
        }
      >
        {problem && <Notice tone="danger" title={problem} />}
      </DialogContent>
    </Dialog>
  );
}
