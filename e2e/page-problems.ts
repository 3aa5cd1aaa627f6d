import type { Page, Response } from '@playwright/test';

/** Collects everything a person with the developer tools open would see go wrong. */
export class PageProblems {
  readonly #found: string[] = [];
  readonly #expected: RegExp[] = [
    // Being signed out is an answer; the browser logs every 401 as an error all the same.
    /^console: .*\b401\b.* \/api\/auth\/me$/,
    /^response: 401 GET \/api\/auth\/me$/,
  ];

  /** Declares a problem the test provokes on purpose. */
  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  watch(page: Page): void {
    page.on('console', (message) => {
      if (message.type() !== 'error') return;
      this.#found.push(`console: ${message.text()} ${toPath(message.location().url)}`);
    });
    page.on('pageerror', (error) =>
      this.#found.push(`page error: ${error.stack ?? error.message}`),
    );
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? '';
      // Leaving a page ends what it was still asking for.
      if (reason === 'net::ERR_ABORTED') return;
      this.#found.push(`request: ${reason} ${request.method()} ${toPath(request.url())}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) this.#found.push(describeResponse(response));
    });
  }

  unexpected(): string[] {
    return this.#found.filter((problem) => !this.#expected.some((known) => known.test(problem)));
  }
}

const toPath = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url);

const describeResponse = (response: Response): string =>
  `response: ${response.status()} ${response.request().method()} ${toPath(response.url())}`;
