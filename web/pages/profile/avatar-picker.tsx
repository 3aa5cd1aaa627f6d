import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ChangeEvent } from 'react';
import { AVATAR_MAX_BYTES, type User } from '#contract/accounts.ts';
import { describeFailure } from '#web/lib/api/api.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { replaceAvatarMutation } from '#web/features/accounts/api.ts';

const ACCEPT = 'image/jpeg,image/png,image/webp,image/gif,image/avif';

export function AvatarPicker({ user }: { user: User }) {
  const replace = useMutation({
    ...replaceAvatarMutation(useQueryClient()),
    onError: (error) => showError(describeFailure(error, 'Couldn’t save the picture.')),
  });

  function pick(event: ChangeEvent<HTMLInputElement>) {
    const image = event.target.files?.[0];
    event.target.value = '';
    if (!image) return;
    if (image.size > AVATAR_MAX_BYTES) showError('Choose a picture under 5 MB.');
    else replace.mutate({ id: user.id, image });
  }

  return (
    <div className="flex flex-wrap items-center gap-4">
      <Avatar user={user} className="size-24 text-28" />
      <label
        className={buttonClass({
          variant: 'line',
          className: 'has-focus-visible:outline-2 has-focus-visible:outline-focus',
        })}
      >
        {replace.isPending ? 'Saving…' : 'Choose a picture'}
        <input
          type="file"
          accept={ACCEPT}
          className="sr-only"
          disabled={replace.isPending}
          onChange={pick}
        />
      </label>
      {user.avatarUrl && (
        <Button variant="quiet" onClick={() => replace.mutate({ id: user.id, image: null })}>
          Remove picture
        </Button>
      )}
    </div>
  );
}

const showError = (description: string) =>
  showToast({ title: 'Error', description, variant: 'destructive' });
