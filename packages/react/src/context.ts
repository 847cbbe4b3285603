import type { Latchkey } from '@latchkey/core'
import type { ButtonsMessages } from '@latchkey/modal/messages'
import { createContext, useContext } from 'react'
import type { StringOverrides } from './messages/strings.ts'
import type { Theme } from './theme.ts'

/** The values that a provider passes down: the instance, the theme and the language. */
export type LatchkeyContextValue = {
  latchkey: Latchkey
  theme: Theme
  /** The current language. Undefined until the requested language is known. */
  locale?: string
  direction?: 'ltr' | 'rtl'
  /** The texts of the buttons. Undefined for English. */
  texts?: ButtonsMessages
  strings: StringOverrides | undefined
  /** The nonce of a content security policy. */
  nonce?: string
  /** The shadow root that needs the styles of the components below. Default: the document. */
  styleRoot?: DocumentOrShadowRoot
}

export const LatchkeyContext: React.Context<LatchkeyContextValue | undefined> = createContext<
  LatchkeyContextValue | undefined
>(undefined)

/**
 * Returns the values of the nearest provider.
 *
 * @throws Error outside of a `LatchkeyProvider`
 */
export function useLatchkeyContext(): LatchkeyContextValue {
  const context = useContext(LatchkeyContext)
  if (context === undefined) throw new Error('Put a <LatchkeyProvider latchkey={…}> around this component.')
  return context
}

/**
 * Returns the instance of the provider, to pass to the actions of `@latchkey/core`.
 *
 * @throws Error outside of a `LatchkeyProvider`
 * @example const latchkey = useLatchkey()
 */
export function useLatchkey(): Latchkey {
  return useLatchkeyContext().latchkey
}
