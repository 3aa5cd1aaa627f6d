import { useEffect, useRef, type ComponentProps } from 'react';
import { Field, FieldFrame, inputClass, PasswordField } from '#web/ui/forms/field.tsx';

type AccountFieldProps = Partial<
  Pick<ComponentProps<typeof Field>, 'label' | 'hint' | 'defaultValue' | 'onChange'>
> & {
  error: string | undefined;
};

export const UsernameField = ({ label = 'Username', ...props }: AccountFieldProps) => (
  <Field
    label={label}
    name="username"
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    required
    {...props}
  />
);

export const EmailField = ({ label = 'E-mail', ...props }: AccountFieldProps) => (
  <Field label={label} name="email" type="email" autoComplete="email" required {...props} />
);

type PasswordFieldProps = AccountFieldProps & { name?: string };

export const CurrentPasswordField = ({
  label = 'Current password',
  name = 'password',
  ...props
}: PasswordFieldProps) => (
  <PasswordField label={label} name={name} autoComplete="current-password" required {...props} />
);

export const NewPasswordField = ({
  label = 'New password',
  name = 'password',
  ...props
}: PasswordFieldProps) => (
  <PasswordField label={label} name={name} autoComplete="new-password" required {...props} />
);

type CodeFieldProps = {
  label?: string;
  error?: string | undefined;
  hint?: string;
  isFocused?: boolean;
};

export function CodeField({
  label = 'Code from your authenticator app',
  error,
  hint,
  isFocused = false,
}: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused) input.current?.focus();
  }, [isFocused]);
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(control) => (
        <input
          ref={input}
          name="code"
          className={`${inputClass} tabular-nums tracking-[0.12em]`}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          required
          {...control}
        />
      )}
    </FieldFrame>
  );
}
