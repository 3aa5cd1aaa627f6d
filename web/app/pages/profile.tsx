import { AvatarPicker } from '#web/features/accounts/avatar-picker.tsx';
import { ProfileForm } from '#web/features/accounts/profile-form.tsx';
import { useCurrentUser } from '#web/lib/current-user.ts';
import { PageHead } from '#web/ui/page-head.tsx';

export function ProfilePage() {
  const { user } = useCurrentUser();
  if (!user) return null;
  return (
    <>
      <PageHead title="Profile" lead="How you appear here, and where we can reach you." />
      <div className="flex max-w-[420px] flex-col gap-8 px-gutter pt-8 md:box-content">
        <AvatarPicker user={user} />
        <ProfileForm key={user.id} user={user} />
      </div>
    </>
  );
}
