/** Long work in several tasks, between which the browser can paint and react. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
