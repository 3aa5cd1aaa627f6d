import { useEffect, useEffectEvent, useState, type MouseEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { Button } from '../button.tsx';
import { Notice } from '../notice.tsx';
import { leaveQuestion, overlayHistory, useBackCloses } from '../overlays/back-closes.ts';
import { Dialog, DialogContent } from '../overlays/dialog.tsx';
import { TimeAgo } from '../time-ago.tsx';
import { focusChanged } from './focus-changed.ts';
import { addOffered, findChanges, findDraft, keepDraft, listOffered } from './kept-draft.ts';

/** The browser asks before it reloads or closes the page. */
export function useUnloadWarning(isNeeded: () => boolean): void {
  const warn = useEffectEvent((event: BeforeUnloadEvent) => {
    if (isNeeded()) event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: BeforeUnloadEvent) => warn(event);
    window.addEventListener('beforeunload', listen);
    return () => window.removeEventListener('beforeunload', listen);
  }, []);
}

/** Goes back from the page itself, below everything that covers it. */
function goBack(): void {
  const leave = () => window.history.back();
  const history = overlayHistory.get();
  if (history) history.leave(leave);
  else leave();
}

type UnsavedOptions<F> = {
  /** Of the form, such as `artist/3`. */
  name: string;
  form: F;
  /** What the form says when all of it is saved. */
  before: F;
  onRestore: (changes: Partial<F>) => void;
  /** What Back leaves, if it isn't the page. */
  onBack?: (() => void) | undefined;
};

/**
 * Asks before a form with unsaved changes is left: by a link, Back, a reload or closing the tab. The
 * changes are also kept on this device, and offered again after a crash. `notice` belongs into the form;
 * call `clear` once they are saved.
 */
export function useUnsavedChanges<F extends object>({
  name,
  form,
  before,
  onRestore,
  onBack = goBack,
}: UnsavedOptions<F>): { notice: ReactNode; clear: () => void } {
  const userId = useCurrentUser().user?.id ?? '';
  const [found, setFound] = useState(() => findDraft(userId, name));
  const [question, setQuestion] = useState<{ leave: () => void } | null>(null);
  // What the user wanted to lose; until they type again, nothing asks a second time.
  const [abandoned, setAbandoned] = useState<string | null>(null);
  const text = JSON.stringify(form);
  const isChanged = Object.keys(findChanges(form, before)).length > 0;
  const isUnsaved = isChanged && text !== abandoned;

  useUnloadWarning(() => isUnsaved);
  useBackCloses(isUnsaved, () => setQuestion({ leave: onBack }));
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (leave: () => void) => setQuestion({ leave });
    leaveQuestion.set(ask);
    return () => {
      if (leaveQuestion.get() === ask) leaveQuestion.set(null);
    };
  }, [isUnsaved]);
  const hasOffer = found !== null && Object.keys(listOffered(found, before)).length > 0;
  // As long as the user hasn't answered, nothing overwrites or deletes what is offered.
  const offered = hasOffer ? found : null;
  const keep = useEffectEvent((typed: string) => {
    const draft = { at: Date.now(), form: JSON.parse(typed) as object, before };
    keepDraft(userId, name, offered ? addOffered(draft, offered) : draft);
  });
  useEffect(() => {
    if (isUnsaved) keep(text);
  }, [isUnsaved, text]);
  const clear = () => keepDraft(userId, name, offered);
  const forget = useEffectEvent(clear);
  const forgetOutdated = useEffectEvent(() => {
    if (!hasOffer) clear();
  });
  useEffect(() => forgetOutdated(), []);
  const [wasUnsaved, setWasUnsaved] = useState(false);
  if (isUnsaved && !wasUnsaved) setWasUnsaved(true);
  useEffect(() => {
    if (wasUnsaved && !isUnsaved) forget();
  }, [wasUnsaved, isUnsaved]);

  function abandon(leave: () => void) {
    clear();
    flushSync(() => {
      setQuestion(null);
      setAbandoned(text);
    });
    leave();
  }
  /** The notice disappears, and with it the button that had the focus. */
  function reply(event: MouseEvent<HTMLElement>, restored: Partial<F> | null) {
    const button = event.currentTarget;
    focusChanged(button.closest('form') ?? button.closest('main'), () => {
      setFound(null);
      if (restored) onRestore(restored);
    });
    if (restored) return;
    const draft = { at: Date.now(), form, before };
    keepDraft(userId, name, isUnsaved ? draft : null);
  }
  const notice = (
    <>
      {offered && (
        <Notice
          tone="warning"
          title="You have changes here that you haven’t saved."
          actions={
            <>
              <Button
                size="sm"
                variant="line"
                onClick={(event) => reply(event, listOffered(offered, before))}
              >
                Restore them
              </Button>
              <Button size="sm" variant="quiet" onClick={(event) => reply(event, null)}>
                Discard them
              </Button>
            </>
          }
        >
          Last edited <TimeAgo at={offered.at} />, on this device.
        </Notice>
      )}
      {question && (
        <Dialog open onOpenChange={(isOpen) => !isOpen && setQuestion(null)}>
          <DialogContent
            title="Leave without saving?"
            description="Your changes on this page aren’t saved yet."
            footer={
              <>
                <Button onClick={() => setQuestion(null)}>Keep editing</Button>
                <Button variant="danger" onClick={() => abandon(question.leave)}>
                  Leave without saving
                </Button>
              </>
            }
          />
        </Dialog>
      )}
    </>
  );
  return { notice, clear };
}
