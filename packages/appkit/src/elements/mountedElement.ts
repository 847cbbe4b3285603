/** The elements by name, without their prefix. */
export type ElementKind = 'modal' | 'button' | 'connect-button' | 'account-button' | 'network-button' | 'wallet-button'

/** A custom element in the page, with its attributes by name in lower case. A change creates a new value. */
export type MountedElement = {
  readonly id: number
  readonly kind: ElementKind
  readonly root: ShadowRoot
  readonly attributes: ReadonlyMap<string, string>
}
