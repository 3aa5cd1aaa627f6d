import { useEffect, useRef } from 'react';
import { FieldFrame, inputClass } from '#web/ui/forms/field.tsx';

type CodeFieldProps = { error?: string | undefined; hint?: string; isFocused?: boolean };

export function CodeField({ error, hint, isFocused = false }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused) input.current?.focus();
  }, [isFocused]);
  return (
    <FieldFrame label="Code from your authenticator app" hint={hint} error={error}>
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
