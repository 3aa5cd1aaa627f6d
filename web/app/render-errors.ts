let hasFailed = false;

/** Whether a section of this page ever failed to render, for the health report. */
export const hasRenderError = (): boolean => hasFailed;

/** Remembered for the health report; the analytics client hears of it there too. */
export function noteRenderError(error: Error, componentStack: string): void {
  hasFailed = true;
  console.warn('A section failed to render.', error, componentStack);
}
