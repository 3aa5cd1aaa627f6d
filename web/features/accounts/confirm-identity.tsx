import { Suspense } from 'react';
import { confirmationStore } from '#web/lib/api/confirm-identity.ts';
import { lazyComponent } from '#web/lib/schedule/lazy-component.ts';
import { useStore } from '#web/lib/store/store.ts';

const Dialog = lazyComponent(
  () => import('./confirm-identity-dialog.tsx'),
  'ConfirmIdentityDialog',
);

/** Shows the question of `withConfirmation`. Pages that use it have this once. */
export function ConfirmIdentity() {
  const question = useStore(confirmationStore);
  return <Suspense>{question && <Dialog onAnswer={question.answer} />}</Suspense>;
}
