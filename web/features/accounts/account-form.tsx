import type { ReactNode } from 'react';
import type { z } from 'zod';
import { parseForm, type FieldErrors } from '#web/ui/forms/parse-form.ts';
import { useForm } from '#web/ui/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';

type AccountFormProps<S extends z.ZodType> = {
  /** Or a function that loads it when someone fills in the form. */
  schema: S | (() => Promise<S>);
  submitLabel: string;
  isDestructive?: boolean;
  /** Throws if the server rejects it; field errors show at their fields. */
  onSubmit: (data: z.output<S>) => Promise<unknown>;
  /** The message when the server gives no reason, or a function that finds the message. */
  failed: string | ((error: unknown) => string);
  children: (errors: FieldErrors) => ReactNode;
};

/** Validates with the server's own rules before sending, then shows the server's errors. */
export function AccountForm<S extends z.ZodType>({
  schema,
  submitLabel,
  isDestructive = false,
  onSubmit,
  failed,
  children,
}: AccountFormProps<S>) {
  const loadSchema = async () => (typeof schema === 'function' ? schema() : schema);
  const { submit, errors, failure, isSending, clearOnInput } = useForm({
    parse: async (form) => parseForm(await loadSchema(), form),
    onSubmit,
    failed,
  });
  return (
    // Without scripts a form would put its password into the address.
    <form
      method="post"
      noValidate
      onSubmit={submit}
      onInput={(event) => {
        // If that fails, submitting tries again.
        loadSchema().catch(() => undefined);
        clearOnInput(event);
      }}
      className="flex flex-col gap-5"
    >
      {failure && <Notice tone="danger" title={failure} />}
      {children(errors)}
      <Button
        type="submit"
        size="lg"
        isBlock
        variant={isDestructive ? 'danger' : 'primary'}
        aria-disabled={isSending}
      >
        {submitLabel}
      </Button>
    </form>
  );
}
