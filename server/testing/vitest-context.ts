/** What a project's global setup provides to the tests. */
export type TestDatabases =
  | { dialect: 'sqlite'; templateFile: string }
  | { dialect: 'postgres'; serverUrl: string; templateName: string };

declare module 'vitest' {
  interface ProvidedContext {
    testDatabases: TestDatabases;
    /** The folder of ffmpeg's cached output in this run. */
    ffmpegRuns: string;
  }
}
