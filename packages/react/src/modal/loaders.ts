import { getAccount, type Latchkey } from '@latchkey/core'
import { preload } from '../chunks.ts'
import { locales } from '../strings/locales.ts'
import { views } from './views/index.ts'

/** The modal itself, without any view. */
export function loadModal(): Promise<typeof import('./index.ts')> {
  return import('./index.ts')
}

/** Fetches what the visitor will most likely see next, all at once: the pointer is on its way to the button. */
export function anticipateModal(latchkey: Latchkey, locale: string): void {
  const connected = getAccount(latchkey).status === 'connected'
  for (const load of [loadModal, views[connected ? 'Account' : 'Connect'], locales[locale]]) {
    if (load !== undefined) preload(latchkey, load)
  }
}
