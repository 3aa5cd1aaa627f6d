import type { Page, Response } from '@playwright/test';

/** Collects every error that the browser's developer tools would show. */
export class PageProblems {
  readonly #found: string[] = [];
  readonly #expected: RegExp[] = [
    // A visitor's session check answers 401, and the browser logs every 401 as an error.
    /^console: .*\b401\b.* \/api\/auth\/me$/,
    /^response: 401 GET \/api\/auth\/me$/,
    // On a busy machine the server answers late, or says that it is busy; the test of the health
    // report looks at what it says otherwise.
    /^(?:console: .*\b503\b.* |response: 503 GET )\/api\/health$/,
  ];

  /** Declares a problem that the test provokes on purpose. */
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
      // Leaving a page aborts its open requests.
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
