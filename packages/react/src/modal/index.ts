export { openModal } from '@latchkey/core'
export { anticipate } from './anticipate.ts'
export { EmbeddedModal } from './EmbeddedModal.tsx'
export { FloatingModal } from './FloatingModal.tsx'
// oxlint-disable-next-line import/no-default-export -- the first view is this module's view
export { default } from './views/connect/ConnectView.tsx'
