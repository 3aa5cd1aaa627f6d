import { confirmationStore } from '#web/lib/api/confirm-identity.ts';
import { useStore } from '#web/lib/store/store.ts';
import { lazyPanel } from '#web/ui/overlays/lazy-overlay.tsx';

const Dialog = lazyPanel(() => import('./confirm-identity-dialog.tsx'), 'ConfirmIdentityDialog');

/** Shows the question of `withConfirmation`. Pages that use it have this once. */
export function ConfirmIdentity() {
  const question = useStore(confirmationStore);
  if (!question) return null;
  return <Dialog open onAnswer={question.answer} onFail={() => question.answer(false)} />;
}
