export { embedded, type EmbeddedOptions } from './embedded.ts'
