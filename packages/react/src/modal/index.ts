export { EmbeddedModal } from './EmbeddedModal.tsx'
export { FloatingModal } from './FloatingModal.tsx'
