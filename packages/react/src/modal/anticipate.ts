import { getAccount, type Latchkey } from '@latchkey/core'
import { preload, type Load } from '../chunks.ts'
import { locales } from '../strings/locales.ts'
import { views } from './views/index.ts'

/** Fetches what the modal will need beside itself when it opens now: the language, and who is connected his account. */
export function anticipate(latchkey: Latchkey, locale: string | undefined): void {
  const first: Load<object> | undefined = getAccount(latchkey).status === 'connected' ? views.Account : views.Connect
  const language: Load<object> | undefined = locale === undefined ? undefined : locales[locale]
  for (const load of [first, language]) if (load !== undefined) preload(latchkey, load)
}
