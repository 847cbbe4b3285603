export { embedded } from './embedded.ts'
export type { EmbeddedOptions } from './embeddedOptions.ts'
export { isLatchkeyError } from '@latchkey/protocol'
