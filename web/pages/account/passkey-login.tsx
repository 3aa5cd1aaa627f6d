import { useMutation, useQueryClient } from '@tanstack/react-query';
import { describeRefusal } from '#web/lib/api/api.ts';
import { boot } from '#web/lib/store/boot.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { passkeyLoginMutation } from '#web/features/accounts/api.ts';

const isNamed = (error: Error, name: string): boolean => error.name === name;

/** After the login, the guard redirects to the next page. */
export function PasskeyLogin() {
  const login = useMutation(passkeyLoginMutation(useQueryClient()));
  if (!boot.hasPasskeys) return null;
  const { error } = login;
  const failure =
    error === null || isNamed(error, 'PasskeyCancelled')
      ? null
      : isNamed(error, 'PasskeyProblem')
        ? error.message
        : describeRefusal(error, 'Failed to login');
  return (
    <div className="flex flex-col gap-5">
      {failure && <Notice tone="danger" title={failure} />}
      <Button
        variant="line"
        size="lg"
        isBlock
        aria-disabled={login.isPending}
        onClick={() => !login.isPending && login.mutate()}
      >
        Log in with a passkey
      </Button>
    </div>
  );
}
