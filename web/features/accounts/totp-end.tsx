import { useMutation, useQueryClient } from '@tanstack/react-query';
import { describeFailure } from '#web/lib/api.ts';
import { showToast } from '#web/lib/toasts.ts';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { BothStepsForm } from './both-steps-form.tsx';
import { endTotpMutation } from './security-api.ts';

type DialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

export function TotpEnd({ open, onOpenChange }: DialogProps) {
  const end = useMutation(endTotpMutation(useQueryClient()));
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="Turn off two-step login"
        description="A login then needs your password alone. Your recovery codes stop working."
      >
        <BothStepsForm
          submitLabel="Turn off"
          isDestructive
          onSubmit={async (body) => {
            await end.mutateAsync(body);
            onOpenChange(false);
            showToast({ title: 'Two-step login is off' });
          }}
          describeFailure={(error) =>
            describeFailure(error, 'Two-step login could not be turned off.')
          }
        />
      </DialogContent>
    </Dialog>
  );
}
