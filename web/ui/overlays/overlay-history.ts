type Page = Pick<Window, 'history' | 'addEventListener'>;

/** The entry of a page has no state; those above it count the overlays that are open. */
type EntryState = { overlays?: number } | null;

export type OverlayHistory = {
  /** Call it when an overlay opens, and the function it returns when the overlay closes. */
  add: (close: () => void) => () => void;
  /** Goes to another page, with `navigate`, from the page below the open overlays. */
  leave: (navigate: () => void, isRedirect?: boolean) => void;
};

/**
 * One history entry per open overlay, so that Back closes the topmost. An overlay that closes in
 * another way takes its entry with it, and a link inside one opens its page in place of the entries:
 * Back never passes through an overlay that is gone.
 */
export function createOverlayHistory(page: Page): OverlayHistory {
  const { history } = page;
  let overlays: { close: () => void }[] = [];
  /** Waiting for the history to go back. */
  let navigations: (() => void)[] = [];
  let isGoingBack = false;
  let isScheduled = false;

  const countEntries = (): number => (history.state as EntryState)?.overlays ?? 0;

  function goBack(count: number): void {
    isGoingBack = true;
    history.go(-count);
  }

  /** Adds or removes entries until there is one per overlay. */
  function balance(): void {
    if (isGoingBack) return;
    const entries = countEntries();
    if (entries > overlays.length) return goBack(entries - overlays.length);
    for (let count = entries + 1; count <= overlays.length; count += 1) {
      // Closing must not scroll the page to where it was when the overlay opened.
      history.scrollRestoration = 'manual';
      history.pushState({ overlays: count }, '');
    }
  }

  /** After the current task: one overlay may close as another opens. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      balance();
    });
  }

  function closeAbove(count: number): void {
    for (const { close } of overlays.slice(count).toReversed()) close();
  }

  page.addEventListener('popstate', () => {
    const entries = countEntries();
    if (entries === 0) history.scrollRestoration = 'auto';
    if (isGoingBack) {
      isGoingBack = false;
      const leaving = navigations;
      navigations = [];
      if (leaving.length > 0) closeAbove(0);
      for (const navigate of leaving) navigate();
    } else closeAbove(entries);
    // Forward, to an overlay that is closed: back again.
    if (countEntries() > overlays.length) schedule();
  });

  // The page was reloaded with an overlay open.
  if (countEntries() > 0) goBack(countEntries());

  return {
    add(close) {
      const overlay = { close };
      overlays = [...overlays, overlay];
      schedule();
      return () => {
        overlays = overlays.filter((other) => other !== overlay);
        schedule();
      };
    },
    leave(navigate, isRedirect = false) {
      // A redirect away from a page that is being left already.
      if (isRedirect && navigations.length > 0) return;
      if (!isGoingBack && countEntries() === 0) return navigate();
      navigations.push(navigate);
      if (!isGoingBack) goBack(countEntries());
    },
  };
}
