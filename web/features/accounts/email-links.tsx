import { useMutation, useQueryClient } from '@tanstack/react-query';
import { describeFailure } from '#web/lib/api.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { confirmEmailMutation, undoEmailChangeMutation } from './api.ts';

/** A button, because mail programs open links on their own. */
export function ConfirmEmail({ token }: { token: string }) {
  const confirm = useMutation(confirmEmailMutation(useQueryClient()));
  if (confirm.data)
    return (
      <>
        <Notice tone="success" title="Thank you">
          <span className="wrap-anywhere">{confirm.data.email}</span> is confirmed.
        </Notice>
        <LinkButton href="/" size="lg" isBlock>
          Continue
        </LinkButton>
      </>
    );
  return (
    <>
      {confirm.error && (
        <Notice
          tone="danger"
          title={describeFailure(confirm.error, 'Couldn’t confirm the address. Please try again.')}
        />
      )}
      <Button
        size="lg"
        isBlock
        aria-disabled={confirm.isPending}
        onClick={() => !confirm.isPending && confirm.mutate(token)}
      >
        Confirm my e-mail address
      </Button>
    </>
  );
}

type UndoEmailChangeProps = { token: string; onDone: (resetToken: string) => void };

export function UndoEmailChange({ token, onDone }: UndoEmailChangeProps) {
  const undo = useMutation(undoEmailChangeMutation(useQueryClient(), onDone));
  return (
    <>
      {undo.error && (
        <Notice
          tone="danger"
          title={describeFailure(undo.error, 'Couldn’t undo the change. Please try again.')}
        />
      )}
      <Button
        size="lg"
        isBlock
        aria-disabled={undo.isPending}
        onClick={() => !undo.isPending && undo.mutate(token)}
      >
        Take my account back
      </Button>
    </>
  );
}
