import {
  useMutation,
  useQuery,
  useQueryClient,
  mutationOptions,
  type QueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import {
  ListenBrainzBody,
  type ScrobbleAccount,
  type ScrobbleService,
  type LastfmBody,
  type Scrobbling,
} from '#contract/clients/scrobbling.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { Form } from '#web/ui/forms/form.tsx';
import { parseForm } from '#web/ui/forms/parse-form.ts';
import { showToast, showErrorToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { Switch } from '#web/ui/forms/switch.tsx';
import { LoadFailure } from '#web/ui/loaded.tsx';
import type { z } from 'zod';
import { call } from '#web/lib/api/api.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';

const scrobblingQuery = apiQuery('GET /api/me/scrobbling');
const { queryKey } = scrobblingQuery;

const show = (client: QueryClient) => (scrobbling: Scrobbling) =>
  void client.setQueryData(queryKey, scrobbling);

/** Another service is asked, and the user is waiting. */
const retry = false;

/** Leaves for the service's own page, which comes back to the settings. */
const startLastfmMutation = mutationOptions({
  mutationFn: () => call('POST /api/me/scrobbling/lastfm'),
  onSuccess: ({ url }) => window.location.assign(url),
  onError: (error) => showErrorToast(error, 'Couldn’t connect. Please try again.'),
  retry,
});

const finishLastfmMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: z.input<typeof LastfmBody>) =>
      call('PUT /api/me/scrobbling/lastfm', { body }),
    onSuccess: show(client),
    onError: (error) => showErrorToast(error, 'Couldn’t connect. Please try again.'),
    retry,
  });

const disconnectMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (service: ScrobbleService) =>
      call('DELETE /api/me/scrobbling/:service', { params: { service } }),
    onSuccess: show(client),
    onError: (error) => showErrorToast(error, 'Couldn’t disconnect. Please try again.'),
  });

const pauseMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (isPaused: boolean) => call('PATCH /api/me/scrobbling', { body: { isPaused } }),
    onSuccess: show(client),
    onError: (error) => showErrorToast(error, 'Couldn’t save. Please try again.'),
  });

const LISTENBRAINZ = 'ListenBrainz';

/** Sends what the user hears, chapter by chapter, to services that they choose. */
export function ScrobblingSettings() {
  const query = useQuery(scrobblingQuery);
  const { data } = query;
  const pause = useMutation(pauseMutation(useQueryClient()));
  useFinishLastfm();
  if (query.isError && !data)
    return (
      <LoadFailure query={query} failed="Couldn’t load your scrobbling settings" className="mb-4" />
    );
  const { listenbrainz = null, lastfm = null, lastfmName = null } = data ?? {};
  return (
    <>
      <ListenBrainzRow account={listenbrainz} isLoading={!data} />
      {(lastfmName ?? lastfm) && <LastfmRow name={lastfmName ?? 'Last.fm'} account={lastfm} />}
      {data && (listenbrainz ?? lastfm) && (
        <SettingRow>
          <Switch
            label="Scrobble what I play"
            hint="Turn it off to listen in private. Previews are never sent."
            checked={!data.isPaused}
            onCheckedChange={(checked) => pause.mutate(!checked)}
          />
        </SettingRow>
      )}
    </>
  );
}

function describeAccount({ username, server, state, queued }: ScrobbleAccount, name: string) {
  const host = server ? ` on ${URL.parse(server)?.host ?? server}` : '';
  const connected = `Connected as ${username}${host}.`;
  const waiting = queued > 0 ? ` ${formatCount(queued, 'listen')} waiting.` : '';
  if (state === 'refused')
    return `${name} no longer accepts your login, so nothing is sent. Connect again.${waiting}`;
  if (state === 'waiting')
    return `${connected} It doesn’t answer at the moment; we’ll keep trying.${waiting}`;
  return connected + waiting;
}

type ServiceRowProps = {
  name: string;
  service: ScrobbleService;
  account: ScrobbleAccount | null;
  /** Shown before the service is connected. */
  hint: string;
  connect: ReactNode;
};

function ServiceRow({ name, service, account, hint, connect }: ServiceRowProps) {
  const disconnect = useMutation(disconnectMutation(useQueryClient()));
  return (
    <SettingRow
      label={name}
      isOn={account !== null}
      hint={account ? describeAccount(account, name) : hint}
    >
      <div className="flex flex-wrap gap-2">
        {(!account || account.state === 'refused') && connect}
        {account && (
          <Button
            variant="line"
            aria-label={`Disconnect ${name}`}
            disabled={disconnect.isPending}
            onClick={() => disconnect.mutate(service)}
          >
            Disconnect
          </Button>
        )}
      </div>
    </SettingRow>
  );
}

type ListenBrainzRowProps = { account: ScrobbleAccount | null; isLoading: boolean };

function ListenBrainzRow({ account, isLoading }: ListenBrainzRowProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ServiceRow
        name={LISTENBRAINZ}
        service="listenbrainz"
        account={account}
        hint="Keep a diary of everything you hear in a mix, at ListenBrainz or on a server of your own."
        connect={
          <Button
            variant="line"
            aria-expanded={isOpen}
            aria-label={isOpen ? 'Cancel' : `Connect ${LISTENBRAINZ}`}
            disabled={isLoading}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Cancel' : 'Connect…'}
          </Button>
        }
      />
      {isOpen && (
        <div className="max-w-[420px] pb-6">
          <TokenForm
            onDone={() => {
              setOpen(false);
              showToast({ title: 'Connected', description: 'From now on we send what you hear.' });
            }}
          />
        </div>
      )}
    </>
  );
}

function TokenForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  return (
    <Form
      submitLabel="Connect"
      parse={(form) => parseForm(ListenBrainzBody, form)}
      onSubmit={async (body) => {
        show(client)(await call('PUT /api/me/scrobbling/listenbrainz', { body }));
        onDone();
      }}
      failed="Couldn’t connect. Please try again."
    >
      {(errors) => (
        <>
          <Field
            label="User token"
            name="token"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            hint="From listenbrainz.org/settings, or from the settings of your own server."
            error={errors.token}
          />
          <Field
            label="Server (optional)"
            name="server"
            type="url"
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="https://"
            hint="Only for Maloja, Koito and other servers that understand ListenBrainz."
            error={errors.server}
          />
        </>
      )}
    </Form>
  );
}

function LastfmRow({ name, account }: { name: string; account: ScrobbleAccount | null }) {
  const start = useMutation(startLastfmMutation);
  return (
    <ServiceRow
      name={name}
      service="lastfm"
      account={account}
      hint={`Scrobble everything you hear in a mix to your ${name} profile.`}
      connect={
        <Button
          variant="line"
          aria-label={`Connect ${name}`}
          disabled={start.isPending}
          onClick={() => start.mutate()}
        >
          Connect…
        </Button>
      }
    />
  );
}

/** The service's page comes back with a token that works once. */
function useFinishLastfm(): void {
  const { mutate } = useMutation(finishLastfmMutation(useQueryClient()));
  const isDone = useRef(false);
  useEffect(() => {
    const query = new URLSearchParams(window.location.search);
    const [state, token] = [query.get('lastfm'), query.get('token')];
    if (!state || !token || isDone.current) return;
    isDone.current = true;
    // A reload would send the same token again, and the address would stay in the history.
    window.history.replaceState(window.history.state, '', window.location.pathname);
    mutate({ state, token });
  }, [mutate]);
}
