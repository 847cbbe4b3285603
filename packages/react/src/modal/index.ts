export { openModal } from '@latchkey/modal'
export { preloadViews } from './preloadViews.ts'
export { EmbeddedModal } from './shell/EmbeddedModal.tsx'
export { FloatingModal } from './shell/floating/FloatingModal.tsx'
