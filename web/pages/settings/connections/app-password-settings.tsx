import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  AppPasswordBody,
  MAX_APP_PASSWORDS,
  type AppPassword,
} from '#contract/clients/app-passwords.ts';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';
import { hasFullAccess, useCurrentUser } from '#web/lib/api/current-user.ts';
import { copyCode } from '#web/features/sharing/copy-link.ts';
import { formatDate } from '#web/lib/format/format.ts';
import { Form } from '#web/ui/forms/form.tsx';
import { parseForm } from '#web/ui/forms/parse-form.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Dot } from '#web/ui/facts.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { Copy } from '#web/ui/icons.ts';
import { LoadFailure } from '#web/ui/loaded.tsx';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { call } from '#web/lib/api/api.ts';
import { withConfirmation } from '#web/lib/api/confirm-identity.ts';

const appPasswordsQuery = apiQuery('GET /api/me/app-passwords');

const HINT =
  'Listen in Symfonium, Amperfy, Feishin or another app that can connect to a Subsonic server. Each app gets a password of its own.';

/** The apps with a password, and a new one's, which is shown once. */
export function AppPasswordSettings() {
  const { user } = useCurrentUser();
  const query = useQuery(appPasswordsQuery);
  const { data } = query;
  const [isAdding, setAdding] = useState(false);
  const [password, setPassword] = useState<string | null>(null);
  const apps = data?.items ?? [];
  const isFull = apps.length >= MAX_APP_PASSWORDS;
  const hasAccess = hasFullAccess(user);
  // What had the focus is gone, and the keyboard would start at the top of the page.
  const addButton = useRef<HTMLButtonElement>(null);
  const focusAddButton = () => addButton.current?.focus();
  return (
    <>
      <SettingRow
        label="Music apps"
        {...(data && { isOn: apps.length > 0 })}
        hint={
          <>
            {HINT}
            {!hasAccess && ` Without Premium you hear the ${PREVIEW_TEXT} of each mix.`}
            {isFull &&
              ` You have ${MAX_APP_PASSWORDS}, which is the most: remove one to add another.`}
          </>
        }
      >
        <Button
          ref={addButton}
          variant="line"
          aria-expanded={isAdding}
          disabled={!data || isFull || password !== null}
          onClick={() => setAdding(!isAdding)}
        >
          {isAdding ? 'Cancel' : 'Add an app…'}
        </Button>
      </SettingRow>
      {isAdding && (
        <NewApp
          onCreated={(created) => {
            setAdding(false);
            setPassword(created);
          }}
        />
      )}
      {password !== null && user && (
        <Connection
          username={user.username}
          password={password}
          onDone={() => {
            flushSync(() => setPassword(null));
            focusAddButton();
          }}
        />
      )}
      <LoadFailure query={query} failed="Couldn’t load your music apps" className="mb-4" />
      {apps.length > 0 && (
        <ul aria-label="Music apps" className="pb-2">
          {apps.map((app) => (
            <AppItem key={app.id} app={app} onRemoved={focusAddButton} />
          ))}
        </ul>
      )}
    </>
  );
}

function NewApp({ onCreated }: { onCreated: (password: string) => void }) {
  const client = useQueryClient();
  return (
    <Form
      className="flex max-w-[420px] flex-col gap-5 pb-6"
      submitLabel="Create password"
      button={{ size: 'lg', isBlock: true }}
      parse={(form) => parseForm(AppPasswordBody, form)}
      onSubmit={async (body) => {
        const create = () => call('POST /api/me/app-passwords', { body });
        const { password } = await withConfirmation(create);
        await client.invalidateQueries({ queryKey: appPasswordsQuery.queryKey });
        onCreated(password);
      }}
      failed="Couldn’t create a password."
    >
      {(errors) => (
        <Field
          label="Name"
          name="name"
          autoComplete="off"
          maxLength={60}
          required
          hint="So that you recognise it later, for example “Symfonium on my phone”."
          error={errors.name}
        />
      )}
    </Form>
  );
}

type ConnectionProps = { username: string; password: string; onDone: () => void };

/** What to enter in the app. */
function Connection({ username, password, onDone }: ConnectionProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label="Enter this in your app"
      className="mb-5 flex flex-col gap-4 rounded-panel bg-raised p-4 outline-none"
    >
      <p className="font-medium">Enter this in your app</p>
      <dl className="flex flex-col gap-3">
        <Fact name="Server address" value={window.location.origin} />
        <Fact name="Username" value={username} />
        <Fact name="Password" value={password} />
      </dl>
      <p className="text-13 text-text-2">
        You won’t see this password again. It stops working when you change your account’s password
        or log out all other devices.
      </p>
      <Button variant="line" onClick={onDone} className="self-start">
        Done
      </Button>
    </section>
  );
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div className="flex items-center justify-between gap-3">
    <div className="min-w-0">
      <dt className="text-13 text-text-2">{name}</dt>
      <dd className="font-mono wrap-anywhere select-all">{value}</dd>
    </div>
    <Button
      variant="line"
      size="sm"
      className="shrink-0"
      aria-label={`Copy ${name.toLowerCase()}`}
      onClick={() => void copyCode(value, name)}
    >
      <Copy />
      Copy
    </Button>
  </div>
);

function describeUse({ lastUsedAt, lastClient }: AppPassword): string {
  if (lastUsedAt === null) return 'not used yet';
  const when = `last used on ${formatDate(lastUsedAt)}`;
  return lastClient ? `${when} by ${lastClient}` : when;
}

function AppItem({ app, onRemoved }: { app: AppPassword; onRemoved: () => void }) {
  const { name, createdAt, networks, isShared } = app;
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call('DELETE /api/me/app-passwords/:id', { params: { id: app.id } }),
    onSettled: () => client.invalidateQueries({ queryKey: appPasswordsQuery.queryKey }),
    onSuccess: () => {
      onRemoved();
      showToast({ title: `${name} can’t connect any more` });
    },
    onError: (error) => showErrorToast(error, 'Couldn’t remove the app.'),
  });
  return (
    <li className="flex min-h-14 items-center justify-between gap-4 py-1.5">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-13 wrap-anywhere text-text-2">
          Added on {formatDate(createdAt)}
          <Dot />
          {describeUse(app)}
        </p>
        {isShared && (
          <p className="mt-1 text-13 text-warning">
            Used from {networks} networks in seven days. If someone else has this password, remove
            it and add the app again.
          </p>
        )}
      </div>
      <Button
        variant="line"
        size="sm"
        className="shrink-0"
        disabled={remove.isPending}
        aria-label={`Remove ${name}`}
        onClick={() => remove.mutate()}
      >
        Remove
      </Button>
    </li>
  );
}
