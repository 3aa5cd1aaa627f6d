import { sendAnalyticsEvent } from './analytics-events.ts';

/** The longest text an analytics event may have. */
const MAX_TEXT = 255;

let hasFailed = false;

/** Whether any section of the page failed to render. */
export const hasRenderError = (): boolean => hasFailed;

/** Records a render error for the health report and analytics. */
export function reportRenderError(error: Error, componentStack: string): void {
  hasFailed = true;
  console.warn('A section failed to render.', error, componentStack);
  sendAnalyticsEvent('Error Occurred', {
    error_type: 'React Error',
    error_message: error.message.slice(0, MAX_TEXT),
    error_context: componentStack.trim().slice(0, MAX_TEXT),
  });
}
