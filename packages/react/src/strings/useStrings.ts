import { createContext, use } from 'react'
import { en } from './en.ts'
import type { StringOverrides, Strings } from './strings.ts'

/** The texts of the language in use. Only the modal provides it, so that a closed one weighs nothing. */
export const StringsContext: React.Context<Strings> = createContext<Strings>(en)

/** What to say, in the visitor's language. */
export function useStrings(): Strings {
  return use(StringsContext)
}

/** Lays an app's own texts over those of a language. */
export function overrideStrings(strings: Strings, overrides: StringOverrides): Strings {
  const groups = Object.entries(strings).map(([group, texts]) => {
    const own = overrides[group as keyof Strings]
    return [group, { ...texts, ...own }]
  })
  // The same groups as before, each with the same texts as before or others of their type.
  return Object.fromEntries(groups) as Strings
}
