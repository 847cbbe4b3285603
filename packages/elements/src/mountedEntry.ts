import type { Namespace } from '@latchkey/protocol'
import type { Theme } from '@latchkey/react'

/** The look of all buttons of an instance, and of its modal. */
export type PageLook = {
  /** `system` if omitted, or the theme that the user chose. */
  theme?: Theme
  /** A BCP 47 tag, or `auto` for the browser's languages. English if omitted. */
  locale?: string
}

/** The buttons that can be mounted. */
export type ButtonKind = 'connect' | 'network' | 'account' | 'wallet'

/** A button in the page. */
export type MountedEntry = {
  readonly key: number
  readonly kind: ButtonKind
  readonly target: Element | ShadowRoot
  readonly props: ButtonValues
}

/** The properties of all kinds of buttons. */
export type ButtonValues = {
  size?: 'md' | 'sm'
  disabled?: boolean
  namespace?: Namespace
  label?: string
  showBalance?: boolean
  wallet?: string
}

/** The buttons of an instance in the page. React renders all of them, with one modal. */
export type Page = { readonly look: PageLook; readonly entries: readonly MountedEntry[] }
