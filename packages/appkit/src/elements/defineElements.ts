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
      if (customElements.get(name) === undefined) customElements.define(name, createElementClass(kind, HTMLElement))
    }
  }
}

function createElementClass(kind: ElementKind, Base: typeof HTMLElement): typeof HTMLElement {
  return class AppKitElement extends Base {
    static readonly observedAttributes = observed
    readonly #root: ShadowRoot

    constructor() {
      super()
      this.#root = this.attachShadow({ mode: 'open' })
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(kind === 'modal' ? ':host{display:contents}' : ':host{display:inline-block}')
      this.#root.adoptedStyleSheets.push(sheet)
    }

    connectedCallback(): void {
      mountedElements.setState((all) => [...all, this.#describe(nextId(all))], true)
    }

    disconnectedCallback(): void {
      mountedElements.setState((all) => all.filter(({ root }) => root !== this.#root), true)
    }

    attributeChangedCallback(): void {
      mountedElements.setState(
        (all) => all.map((each) => (each.root === this.#root ? this.#describe(each.id) : each)),
        true,
      )
    }

    #describe(id: number): MountedElement {
      const attributes = new Map([...this.attributes].map(({ name, value }) => [name, value]))
      return { id, kind, root: this.#root, attributes }
    }
  }
}

function nextId(all: readonly MountedElement[]): number {
  return Math.max(0, ...all.map(({ id }) => id)) + 1
}
