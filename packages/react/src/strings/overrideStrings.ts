import type { StringOverrides, Strings } from './strings.ts'

/** Lays an app's own texts over those of a language. */
export function overrideStrings(strings: Strings, overrides: StringOverrides): Strings {
  const groups = Object.entries(strings).map(([group, texts]) => {
    const own = overrides[group as keyof Strings]
    return [group, { ...texts, ...own }]
  })
  // The same groups as before, each with the same texts as before or others of their type.
  return Object.fromEntries(groups) as Strings
}
