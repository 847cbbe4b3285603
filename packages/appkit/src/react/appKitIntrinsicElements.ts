import type { HTMLAttributes, Ref } from 'react'

/** The attributes of the custom elements in JSX. */
type ElementAttributes = HTMLAttributes<HTMLElement> & {
  ref?: Ref<HTMLElement>
  class?: string
  disabled?: boolean
  size?: 'md' | 'sm'
  label?: string
  loadingLabel?: string
  balance?: 'show' | 'hide'
  charsStart?: number
  charsEnd?: number
  namespace?: string
  wallet?: string
}

/** The custom elements in JSX. */
export type AppKitIntrinsicElements = {
  [
    name in `${'appkit' | 'w3m'}-${'modal' | 'button' | 'connect-button' | 'account-button' | 'network-button' | 'wallet-button'}`
  ]: ElementAttributes
}

declare module 'react' {
  // oxlint-disable-next-line typescript/no-namespace -- React declares its elements in this namespace
  namespace JSX {
    // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
    interface IntrinsicElements extends AppKitIntrinsicElements {}
  }
}
