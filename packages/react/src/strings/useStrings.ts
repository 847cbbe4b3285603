import { createContext, use } from 'react'
import type { Strings } from './strings.ts'

/** The texts of the language in use. Only the modal provides it, so that a closed one weighs nothing. */
export const StringsContext: React.Context<Strings | undefined> = createContext<Strings | undefined>(undefined)

/** What to say, in the visitor's language. */
export function useStrings(): Strings {
  const strings = use(StringsContext)
  if (strings === undefined) throw new Error('This part is drawn inside of the modal only.')
  return strings
}
