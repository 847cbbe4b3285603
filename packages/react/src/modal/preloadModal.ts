import type { Latchkey } from '@latchkey/core'
import { preload } from '../useChunk.ts'
import { loadModal } from './loadModal.ts'

/** Preloads the modal, when the pointer approaches a button that opens it. */
export function preloadModal(latchkey: Latchkey, locale: string | undefined): void {
  preload(latchkey, loadModal, ({ preloadViews }) => preloadViews(latchkey, locale))
}
