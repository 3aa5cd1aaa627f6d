import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_PASSKEYS, PasskeyNameBody, type Passkey } from '#contract/security.ts';
import { call } from '#web/lib/api/api.ts';
import { boot } from '#web/lib/store/boot.ts';
import { formatDate } from '#web/lib/format/format.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Dot } from '#web/ui/facts.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { LoadFailure } from '#web/ui/loaded.tsx';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { AccountForm } from '#web/features/accounts/account-form.tsx';
import {
  addPasskeyMutation,
  passkeysQuery,
  removePasskeyMutation,
  reloadPasskeys,
} from '#web/features/accounts/settings-api.ts';
import { usePasskeySupport } from '#web/lib/store/use-browser-fact.ts';

const HINT = 'Log in with your finger, face or device PIN instead of your password and code.';

const NO_PASSKEYS = 'This browser has no passkeys. Add one in another browser.';

export function PasskeysList() {
  const isSupported = usePasskeySupport();
  const client = useQueryClient();
  const query = useQuery(passkeysQuery);
  const { data } = query;
  const [renaming, setRenaming] = useState<Passkey | null>(null);
  const add = useMutation({
    ...addPasskeyMutation(client),
    onSuccess: (passkey) => {
      showToast({ title: 'Passkey added' });
      setRenaming(passkey);
    },
    onError: (error) => {
      if (error.name === 'PasskeyCancelled') return;
      const isOwn = error.name === 'PasskeyProblem';
      showErrorToast(error, isOwn ? error.message : 'Couldn’t add a passkey.');
    },
  });
  const remove = useMutation({
    ...removePasskeyMutation(client),
    onSuccess: () => showToast({ title: 'Passkey removed' }),
    onError: (error) => showErrorToast(error, 'Couldn’t remove the passkey.'),
  });
  const passkeys = data?.items ?? [];
  // A site at a bare address can't have any.
  if (!boot.hasPasskeys) return null;
  return (
    <>
      <SettingRow label="Passkeys" hint={isSupported ? HINT : NO_PASSKEYS}>
        {isSupported && (
          <Button
            variant="line"
            disabled={!data || passkeys.length >= MAX_PASSKEYS || add.isPending}
            onClick={() => add.mutate()}
          >
            Add a passkey…
          </Button>
        )}
      </SettingRow>
      <LoadFailure query={query} failed="Couldn’t load your passkeys" className="mb-4" />
      {passkeys.length > 0 && (
        <ul aria-label="Passkeys" className="pb-2">
          {passkeys.map((passkey) => (
            <PasskeyItem
              key={passkey.id}
              passkey={passkey}
              isBusy={remove.isPending}
              onRename={() => setRenaming(passkey)}
              onRemove={() => remove.mutate(passkey.id)}
            />
          ))}
        </ul>
      )}
      {renaming && <RenameDialog passkey={renaming} onClose={() => setRenaming(null)} />}
    </>
  );
}

type PasskeyItemProps = {
  passkey: Passkey;
  isBusy: boolean;
  onRename: () => void;
  onRemove: () => void;
};

function PasskeyItem({ passkey, isBusy, onRename, onRemove }: PasskeyItemProps) {
  const { name, isSynced, createdAt, lastUsedAt } = passkey;
  return (
    <li className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-2 py-1.5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          {name}
          {isSynced && <Tag>On all your devices</Tag>}
        </p>
        <p className="text-13 text-text-2">
          Added on {formatDate(createdAt)}
          <Dot />
          {lastUsedAt === null ? 'not used yet' : `last used on ${formatDate(lastUsedAt)}`}
        </p>
      </div>
      <div className="flex gap-2">
        <Button variant="line" size="sm" aria-label={`Rename ${name}`} onClick={onRename}>
          Rename…
        </Button>
        <Button
          variant="line"
          size="sm"
          disabled={isBusy}
          aria-label={`Remove ${name}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      </div>
    </li>
  );
}

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Name this passkey"
        description="So that you recognise it, for example if you lose the device."
      >
        <AccountForm
          schema={PasskeyNameBody}
          submitLabel="Save"
          onSubmit={async ({ name }) => {
            await call('PATCH /api/me/passkeys/:id', {
              params: { id: passkey.id },
              body: { name },
            });
            await reloadPasskeys(client);
            onClose();
          }}
          failed="Couldn’t save the name."
        >
          {(errors) => (
            <Field
              label="Name"
              name="name"
              autoComplete="off"
              maxLength={60}
              defaultValue={passkey.name}
              required
              error={errors.name}
            />
          )}
        </AccountForm>
      </DialogContent>
    </Dialog>
  );
}
