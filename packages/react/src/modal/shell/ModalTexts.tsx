import { mergeMessages } from '@latchkey/protocol/messages'
import { useMemo, type ReactElement, type ReactNode } from 'react'
import { useChunk } from '../../useChunk.ts'
import { useLatchkeyContext } from '../../context.ts'
import { buttonsEnglish, modalMessages } from '@latchkey/modal/messages'
import type { Strings } from '../../messages/strings.ts'
import { ModalMessagesContext } from '../../messages/useModalMessages.ts'

const english: Strings = { ...buttonsEnglish, ...modalMessages.english }

/** Provides the texts in the provider's language. Renders nothing until they are loaded, so that no text changes on screen. */
export function ModalTexts({ children }: { children: ReactNode }): ReactElement | null {
  const { locale, texts, strings: overrides } = useLatchkeyContext()
  const load = locale === undefined ? undefined : modalMessages.translations[locale]
  const chunk = useChunk(load)
  const isReady = locale !== undefined && (load === undefined || chunk !== undefined)
  const messages = useMemo(() => {
    if (!isReady) return undefined
    const translation = chunk === undefined || chunk === 'failed' ? undefined : { ...texts, ...chunk.translation }
    return mergeMessages(mergeMessages(english, translation), overrides)
  }, [isReady, chunk, texts, overrides])
  return messages === undefined ? null : (
    <ModalMessagesContext.Provider value={messages}>{children}</ModalMessagesContext.Provider>
  )
}
