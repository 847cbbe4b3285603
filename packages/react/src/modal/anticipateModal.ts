import type { Latchkey } from '@latchkey/core'
import { preload } from '../chunks.ts'
import { loadModal } from './loadModal.ts'

/** Fetches what the visitor will most likely see next: the pointer is on its way to the button. */
export function anticipateModal(latchkey: Latchkey, locale: string | undefined): void {
  preload(latchkey, loadModal, ({ anticipate }) => anticipate(latchkey, locale))
}
