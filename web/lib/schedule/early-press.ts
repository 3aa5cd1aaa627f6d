/** Kept by a script in the page's head until the page reacts. */
type EarlyPress = { last: Event | null; stop: () => void };
type EarlyHelp = { press: KeyboardEvent | null; stop: () => void };
type PageWindow = Window & { earlyPress?: EarlyPress; earlyHelp?: EarlyHelp };

const PRESSED = 'button, input, label, summary, [role]';

/** Whether the page reacts: until then, what it shows is as it came. */
export const isReacting = (page: PageWindow = window): boolean => !page.earlyPress;

/** Calls back with every `?`, starting with the last one before the page reacted. */
export function watchHelpKey(
  onPress: (press: KeyboardEvent) => void,
  page: PageWindow = window,
): () => void {
  const onKeyDown = (event: KeyboardEvent) => event.key === '?' && onPress(event);
  page.addEventListener('keydown', onKeyDown);
  const { earlyHelp } = page;
  delete page.earlyHelp;
  earlyHelp?.stop();
  if (earlyHelp?.press) onPress(earlyHelp.press);
  return () => page.removeEventListener('keydown', onKeyDown);
}

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
