/** The client without session recording; its own declaration leaves the default export out. */
declare module 'mixpanel-browser/src/loaders/loader-module-core' {
  export { default } from 'mixpanel-browser';
}
