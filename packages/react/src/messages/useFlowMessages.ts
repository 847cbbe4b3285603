import { mergeMessages, type MessageChunk, type PartialMessages } from '@latchkey/protocol/messages'
import { useMemo } from 'react'
import { useChunk } from '../useChunk.ts'
import { useLatchkeyContext } from '../context.ts'

/**
 * Returns the texts of a flow in the current language, with the app's own texts over them. English takes the place of
 * each missing text, and of a translation that cannot be fetched. Use it below `FlowMessages`.
 */
export function useFlowMessages<messages extends object>({
  name,
  english,
  translations,
}: MessageChunk<messages>): messages {
  const { locale = 'en', strings } = useLatchkeyContext()
  const chunk = useChunk(translations[locale], false)
  const translation = chunk === undefined || chunk === 'failed' ? undefined : chunk.translation
  // Overrides are grouped by the names of the flows.
  const own = (strings as { readonly [flow: string]: PartialMessages<messages> | undefined } | undefined)?.[name]
  return useMemo(() => mergeMessages(mergeMessages(english, translation), own), [english, translation, own])
}
