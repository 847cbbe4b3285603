/** Follows the elements of a class in the page. */
export type ElementListener = {
  /** Called when an element enters the page, and when one of its attributes changes. */
  show(root: ShadowRoot, attributes: ReadonlyMap<string, string>): void
  /** Called when an element leaves the page. */
  remove(root: ShadowRoot): void
}

type ElementClassOptions = {
  /** The names of the attributes that change the content, in lower case. */
  observed: readonly string[]
  /** The styles of the host. */
  css: string
}

/**
 * Creates the class of a custom element whose content something else renders into its shadow root.
 *
 * @param Base `HTMLElement` of the page
 */
export function createElementClass(
  Base: typeof HTMLElement,
  { observed, css }: ElementClassOptions,
  listener: ElementListener,
): typeof HTMLElement {
  return class LatchkeyElement extends Base {
    static readonly observedAttributes = observed
    readonly #root: ShadowRoot

    constructor() {
      super()
      this.#root = this.attachShadow({ mode: 'open' })
      // A constructed style sheet needs no exception of a strict content security policy.
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
      this.#root.adoptedStyleSheets.push(sheet)
    }

    connectedCallback(): void {
      this.#show()
    }

    disconnectedCallback(): void {
      listener.remove(this.#root)
    }

    attributeChangedCallback(): void {
      if (this.isConnected) this.#show()
    }

    #show(): void {
      listener.show(this.#root, new Map([...this.attributes].map(({ name, value }) => [name, value])))
    }
  }
}
