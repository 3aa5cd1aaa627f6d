import { useParams } from 'wouter';
import { ConfirmEmail } from '#web/features/accounts/email-address.tsx';
import { AuthLayout } from './auth-layout.tsx';

export function Page() {
  const { token } = useParams<{ token: string }>();
  return (
    <AuthLayout title="Confirm e-mail" lead="One press, and we know that this address is yours.">
      <ConfirmEmail token={token} />
    </AuthLayout>
  );
}
