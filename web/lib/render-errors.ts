import { noteEvent } from '#web/lib/moments.ts';

/** As long as the text of an event can be. */
const MAX_TEXT = 255;

let hasFailed = false;

/** Whether a section of this page ever failed to render, for the health report. */
export const hasRenderError = (): boolean => hasFailed;

/** Remembered for the health report, and told to the analytics. */
export function noteRenderError(error: Error, componentStack: string): void {
  hasFailed = true;
  console.warn('A section failed to render.', error, componentStack);
  noteEvent('Error Occurred', {
    error_type: 'React Error',
    error_message: error.message.slice(0, MAX_TEXT),
    error_context: componentStack.trim().slice(0, MAX_TEXT),
  });
}
