import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { describeFailure } from '#web/lib/api.ts';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { BothStepsForm } from './both-steps-form.tsx';
import { RecoveryCodes, RECOVERY_CODES_TEXT } from './recovery-codes.tsx';
import { renewCodesMutation } from './security-api.ts';

type DialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

export function TotpRenewal({ open, onOpenChange }: DialogProps) {
  const renew = useMutation(renewCodesMutation(useQueryClient()));
  const [codes, setCodes] = useState<string[] | null>(null);
  const head = codes
    ? RECOVERY_CODES_TEXT
    : {
        title: 'New recovery codes',
        description: 'Ten new ones take the place of those you have, which then stop working.',
      };
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent {...head}>
        {codes ? (
          <RecoveryCodes codes={codes} onDone={() => onOpenChange(false)} />
        ) : (
          <BothStepsForm
            submitLabel="Make new codes"
            onSubmit={async (body) => setCodes((await renew.mutateAsync(body)).recoveryCodes)}
            describeFailure={(error) =>
              describeFailure(error, 'New recovery codes could not be made.')
            }
          />
        )}
      </DialogContent>
    </Dialog>
  );
}
