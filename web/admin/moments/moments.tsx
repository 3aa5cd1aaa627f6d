import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import type { MomentAuthor, MomentBan, MomentTrack } from '#contract/admin/moments.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { SettingsPanel } from '#web/admin/site/settings/settings-panel.tsx';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { boot, changeBoot } from '#web/lib/store/boot.ts';
import { SearchField } from '#web/ui/forms/field.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { Switch } from '#web/ui/forms/switch.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { authorQuery, momentTrackQuery, useBan, useTurnOff } from './api.ts';
import { MomentList } from './moment-list.tsx';

export function Page() {
  const { user: admin } = useCurrentUser();
  const user = useQueryParam('user');
  const track = useQueryParam('track');
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const isNarrowed = user !== null || track !== null;
  return (
    <AdminFrame
      title="Moments"
      lead="One line that a subscriber left at a second of a mix. Members see it pass while the mix plays."
    >
      {!admin?.isAdmin && !boot.hasMoments && (
        <Notice tone="warning" title="Moments are off for the whole site.">
          Nobody sees these. An administrator can turn them on.
        </Notice>
      )}
      {isNarrowed ? (
        <div className="flex max-w-[720px] flex-col gap-4">
          {user && <AuthorPanel key={user} id={user} />}
          {track && <TrackPanel key={track} id={track} />}
          <Link href="/admin/moments" className="w-fit underline underline-offset-4">
            All moments
          </Link>
        </div>
      ) : (
        admin?.isAdmin && (
          <SettingsPanel
            page="moments"
            onSaved={({ values }) => changeBoot({ hasMoments: values.areMomentsOn })}
          />
        )
      )}
      <section aria-labelledby="newest" className="flex flex-col gap-4">
        <h2 id="newest" className="type-section">
          Newest
        </h2>
        {!isNarrowed && (
          <SearchField
            label="Search by member or mix"
            placeholder="Name of a member, or title of a mix"
            className="@xl/content:max-w-md"
            maxLength={120}
            value={typed}
            onChange={setTyped}
          />
        )}
        <MomentList
          filter={{
            ...(user && { user }),
            ...(track && { track }),
            ...(!isNarrowed && q && { q }),
          }}
        />
      </section>
    </AdminFrame>
  );
}

const panelClass = 'rounded-panel bg-surface px-4 py-3.5 @3xl/content:px-5';

const BANS: { value: NonNullable<MomentBan> | 'none'; label: string }[] = [
  { value: 'none', label: 'May write' },
  { value: 'writing', label: 'Banned' },
  { value: 'lines', label: 'Banned, all hidden' },
];

const AuthorPanel = ({ id }: { id: string }) => (
  <Loaded
    query={useQuery(authorQuery(id))}
    failed="Couldn’t load this member."
    missing={{ title: 'No such member', text: 'The account may have been deleted.' }}
  >
    {(author) => <Author author={author} />}
  </Loaded>
);

function Author({ author }: { author: MomentAuthor }) {
  const { id, username, ban, isStaff, isDisabled } = author;
  const change = useBan(id, username);
  return (
    <div className={`flex flex-col items-start gap-3 ${panelClass}`}>
      <strong className="font-semibold wrap-anywhere">{username}</strong>
      {isDisabled && <p className="text-text-2">The account is disabled, so nobody sees these.</p>}
      {isStaff ? (
        <p className="text-text-2">Administrators and helpers can’t be banned.</p>
      ) : (
        <Segmented
          label={`What ${username} may do`}
          options={BANS}
          value={ban ?? 'none'}
          onValueChange={(value) => change.mutate(value === 'none' ? null : value)}
        />
      )}
    </div>
  );
}

const TrackPanel = ({ id }: { id: string }) => (
  <Loaded
    query={useQuery(momentTrackQuery(id))}
    failed="Couldn’t load this mix."
    missing={{ title: 'No such mix', text: 'It may have been deleted.' }}
  >
    {(track) => <TrackSwitch track={track} />}
  </Loaded>
);

function TrackSwitch({ track: { id, title, weekNumber, year, isOff } }: { track: MomentTrack }) {
  const change = useTurnOff(id);
  return (
    <div className={panelClass}>
      <Switch
        label={title}
        hint={`Week ${weekNumber}, ${year}. ${isOff ? 'Moments are off for this mix: nobody sees or leaves any, and none is deleted.' : 'Subscribers can leave moments.'}`}
        checked={!isOff}
        disabled={change.isPending}
        onCheckedChange={(isOn) => change.mutate(!isOn)}
      />
    </div>
  );
}
