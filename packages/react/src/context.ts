import type { Latchkey } from '@latchkey/core'
import { createContext, use } from 'react'
import type { ButtonTexts } from './strings/buttons.ts'
import type { StringOverrides } from './strings/strings.ts'
import type { Theme } from './theme.ts'

/** What a provider hands down: the instance, and how what we draw should look and speak. */
export type Surroundings = {
  latchkey: Latchkey
  theme: Theme
  /** The language in use; left out until the one that the app asked for is known. */
  locale?: string
  direction?: 'ltr' | 'rtl'
  /** What the buttons say in it; left out for English. */
  texts?: ButtonTexts
  strings: StringOverrides | undefined
}

export const SurroundingsContext: React.Context<Surroundings | undefined> = createContext<Surroundings | undefined>(
  undefined,
)

/**
 * Everything the nearest provider hands down.
 *
 * @throws Error outside of a `LatchkeyProvider`.
 */
export function useSurroundings(): Surroundings {
  const surroundings = use(SurroundingsContext)
  if (surroundings === undefined) throw new Error('Put a <LatchkeyProvider latchkey={…}> around this component.')
  return surroundings
}

/**
 * The instance that the provider was given, to pass to the actions of `@latchkey/core`.
 *
 * @throws Error outside of a `LatchkeyProvider`.
 * @example const latchkey = useLatchkey()
 */
export function useLatchkey(): Latchkey {
  return useSurroundings().latchkey
}
