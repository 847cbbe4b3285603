import { getAccount, type Latchkey } from '@latchkey/core'
import { modalMessages } from '@latchkey/modal/messages'
import { preload, type Load } from '../useChunk.ts'
import { views } from './views/index.ts'

/** Preloads what the modal needs in addition when it opens: the language, and the account view if a wallet is connected. */
export function preloadViews(latchkey: Latchkey, locale: string | undefined): void {
  const view: Load<object> | undefined = getAccount(latchkey).status === 'connected' ? views.Account : undefined
  const language: Load<object> | undefined = locale === undefined ? undefined : modalMessages.translations[locale]
  for (const load of [view, language]) if (load !== undefined) preload(latchkey, load)
}
