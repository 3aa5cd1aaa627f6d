/** The part of WebAssembly that we use; TypeScript only has it in the browser's types. */
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>;
  interface Module {
    readonly __module: never;
  }
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: Imports): Promise<Instance>;
}
