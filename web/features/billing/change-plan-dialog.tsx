import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Plan } from '#contract/rules/plans.ts';
import { describeFailure } from '#web/lib/api.ts';
import { showToast } from '#web/lib/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogClose, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { changePlanMutation, changeQuoteQuery } from './api.ts';
import { useMoment } from './use-moment.ts';
import { describeChange, planNames } from './words.ts';

type ChangePlanDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  plan: Plan;
};

export function ChangePlanDialog(props: ChangePlanDialogProps) {
  const moment = useMoment();
  const { open, onOpenChange, plan } = props;
  const { data: quote, error: refusal } = useQuery({ ...changeQuoteQuery(plan), enabled: open });
  const change = useMutation(changePlanMutation(useQueryClient()));
  const [failure, setFailure] = useState<string | null>(null);
  const unknown = refusal ? describeFailure(refusal, 'The price could not be asked for.') : null;
  const problem = failure ?? unknown;
  const name = planNames[plan].toLowerCase();

  async function confirm(): Promise<void> {
    if (change.isPending || !quote) return;
    setFailure(null);
    try {
      await change.mutateAsync(plan);
      onOpenChange(false);
      showToast({ title: `Your plan is ${name} from the next payment on` });
    } catch (error) {
      setFailure(describeFailure(error, 'It could not be changed. Check the connection.'));
    }
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title={`Change to ${name}`}
        description={quote ? describeChange(quote, moment) : 'Asking what it will cost…'}
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
                Leave it as it is
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
