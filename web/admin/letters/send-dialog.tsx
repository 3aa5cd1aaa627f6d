import { useState } from 'react';
import type { AdminLetter, LetterReach } from '#contract/admin/letters.ts';
import { formatZoned, parseZoned } from '#contract/rules/zoned-time.ts';
import { HOUR } from '#contract/rules/time.ts';
import { describeFailure } from '#web/lib/api/api.ts';
import { formatDayAndTime } from '#web/lib/format/format.ts';
import { useOpenedAt } from '#web/lib/format/now.ts';
import { boot } from '#web/lib/store/boot.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Dialog, DialogClose, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { sendLetter } from './api.ts';
import { AUDIENCES, countMembers, describePace, describeSend } from './letter-words.ts';

const WHEN = [
  { value: 'now', label: 'Now' },
  { value: 'later', label: 'Later' },
] as const;

type SendDialogProps = {
  letter: AdminLetter;
  reach: LetterReach;
  onSent: (letter: AdminLetter) => void;
  onClose: () => void;
};

/** Says whom it goes to and how long that takes, before anything goes out. */
export function SendDialog({ letter, reach, onSent, onClose }: SendDialogProps) {
  const openedAt = useOpenedAt();
  const [when, setWhen] = useState<'now' | 'later'>('now');
  const [typed, setTyped] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const { audience } = letter;
  const found = reach.audiences.find((each) => each.audience === audience);
  const members = found?.members ?? 0;
  const pace = describePace(found?.estimateMs ?? null, reach);
  // Tomorrow at this hour.
  const field = typed ?? formatZoned(Math.ceil(openedAt / HOUR) * HOUR + 24 * HOUR, boot.timeZone);
  const at = when === 'now' ? null : parseZoned(field, boot.timeZone);

  async function send() {
    if (isSending) return;
    if (when === 'later' && at === null) return setFailure('Choose a day and a time.');
    setSending(true);
    setFailure(null);
    try {
      onSent(await sendLetter(letter.id, { version: letter.version, at }));
    } catch (error) {
      setFailure(describeFailure(error, 'Couldn’t send the letter.'));
      setSending(false);
    }
  }

  const label =
    when === 'now' || at === null
      ? describeSend(audience, members)
      : `Plan for ${formatDayAndTime(at)}`;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title="Send this letter"
        description={
          <>
            “{letter.subject}” goes to {countMembers(audience, members)}
            {when === 'later' && ', counted again at its time'}. {pace} You can stop it on the way.
          </>
        }
        footer={
          <>
            <Button aria-disabled={isSending} onClick={() => void send()}>
              {isSending ? 'Sending…' : label}
            </Button>
            <DialogClose asChild>
              <Button variant="quiet">Not yet</Button>
            </DialogClose>
          </>
        }
      >
        <div className="grid gap-5">
          {failure && <Notice tone="danger" title={failure} />}
          {members === 0 && !failure && (
            <Notice tone="warning" title="Nobody would get it.">
              No {AUDIENCES[audience].one} has turned on “Product news” yet. It’s off until they
              choose it in their settings.
            </Notice>
          )}
          <Segmented
            label="When"
            className="w-fit"
            options={WHEN}
            value={when}
            onValueChange={setWhen}
          />
          {when === 'later' && (
            <Field
              label="Day and time"
              type="datetime-local"
              value={field}
              onChange={(event) => setTyped(event.target.value)}
              hint={`${boot.timeZone.replace('_', ' ')} time.`}
            />
          )}
        </div>
      </DialogContent>
    </Dialog>
  );
}
