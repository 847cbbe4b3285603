import { useMemo, type ReactElement, type ReactNode } from 'react'
import { useChunk } from '../chunks.ts'
import { useSurroundings } from '../context.ts'
import { en } from '../strings/en.ts'
import { locales } from '../strings/locales.ts'
import { overrideStrings } from '../strings/overrideStrings.ts'
import { StringsContext } from '../strings/useStrings.ts'

/** Speaks the provider's language below; nothing is drawn before that language is there, so that no text changes. */
export function ModalTexts({ children }: { children: ReactNode }): ReactElement | null {
  const { locale, strings: overrides } = useSurroundings()
  const load = locale === undefined ? undefined : locales[locale]
  const chunk = useChunk(load)
  const isEnglish = (load === undefined && locale !== undefined) || chunk === 'failed'
  const language = isEnglish ? en : chunk?.strings
  const texts = useMemo(
    () => (language === undefined || overrides === undefined ? language : overrideStrings(language, overrides)),
    [language, overrides],
  )
  return texts === undefined ? null : <StringsContext value={texts}>{children}</StringsContext>
}
