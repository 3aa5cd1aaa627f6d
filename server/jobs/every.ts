/** Calls the task again and again until the returned function is called. Tests bring their own. */
export type Every = (ms: number, task: () => Promise<void>) => () => void;

/** A task that is still under way when its next turn comes skips that turn. The task must not throw. */
export const everyInterval: Every = (ms, task) => {
  let isBusy = false;
  const runOnce = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    try {
      await task();
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => void runOnce(), ms);
  return () => clearInterval(timer);
};
