/** Kept by a script in the page's head until the page reacts. */
type EarlyPress = { last: Event | null; stop: () => void };
type PageWindow = Window & { earlyPress?: EarlyPress };

const PRESSED = 'button, input, label, summary, [role]';

/** Whether the page reacts: until then, what it shows is as it came. */
export const isReacting = (page: PageWindow = window): boolean => !page.earlyPress;

/** From now on React handles what is pressed. */
export function stopKeepingPresses(page: PageWindow = window): void {
  page.earlyPress?.stop();
}

/** Repeats the last press on a page that had come with its content but couldn't react yet. */
export function repeatEarlyPress(page: PageWindow = window): void {
  const { earlyPress } = page;
  if (!earlyPress) return;
  delete page.earlyPress;
  const { last } = earlyPress;
  if (!(last?.target instanceof Element) || !last.target.isConnected) return;
  if (last.target instanceof HTMLFormElement && last instanceof SubmitEvent)
    last.target.requestSubmit(last.submitter);
  else last.target.closest<HTMLElement>(PRESSED)?.click();
}
