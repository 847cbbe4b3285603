import { createElementClass } from '@latchkey/elements/internal'
import { mountedElements } from '../instance/currentAppKit.ts'
import type { ElementKind, MountedElement } from './mountedElement.ts'

const kinds: readonly ElementKind[] = [
  'modal',
  'button',
  'connect-button',
  'account-button',
  'network-button',
  'wallet-button',
]

const observed = [
  'disabled',
  'balance',
  'size',
  'label',
  'loadinglabel',
  'loading-label',
  'charsstart',
  'charsend',
  'namespace',
  'wallet',
]

/** The window of a page. Its globals are not properties of `Window` in the types of the DOM. */
type Page = Pick<typeof globalThis, 'customElements' | 'HTMLElement'>

/**
 * Defines the elements of AppKit, with both prefixes. Elements that are already in the page then show their contents. Names
 * that are defined stay as they are.
 */
export function defineElements({ customElements, HTMLElement }: Page): void {
  for (const kind of kinds) {
    for (const prefix of ['appkit', 'w3m']) {
      const name = `${prefix}-${kind}`
      if (customElements.get(name) === undefined) customElements.define(name, createAppKitElement(kind, HTMLElement))
    }
  }
}

const hostCss = { modal: ':host{display:contents}', button: ':host{display:inline-block}' }

/** The class of an element, whose content `renderPage` renders. */
function createAppKitElement(kind: ElementKind, Base: typeof HTMLElement): typeof HTMLElement {
  const css = kind === 'modal' ? hostCss.modal : hostCss.button
  return createElementClass(
    Base,
    { observed, css },
    {
      show: (root, attributes) => mountedElements.setState((all) => withElement(all, { kind, root, attributes }), true),
      remove: (root) => mountedElements.setState((all) => all.filter((each) => each.root !== root), true),
    },
  )
}

function withElement(all: readonly MountedElement[], element: Omit<MountedElement, 'id'>): readonly MountedElement[] {
  const known = all.find(({ root }) => root === element.root)
  if (known === undefined) return [...all, { ...element, id: nextId(all) }]
  return all.map((each) => (each === known ? { ...element, id: known.id } : each))
}

function nextId(all: readonly MountedElement[]): number {
  return Math.max(0, ...all.map(({ id }) => id)) + 1
}
