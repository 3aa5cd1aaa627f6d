/** What a project's global setup hands to the tests. */
export type TestDatabases =
  | { dialect: 'sqlite'; templateFile: string }
  | { dialect: 'postgres'; serverUrl: string; templateName: string };

declare module 'vitest' {
  interface ProvidedContext {
    testDatabases: TestDatabases;
    /** The folder of what ffmpeg has made in this run. */
    ffmpegRuns: string;
  }
}
