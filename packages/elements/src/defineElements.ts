import type { Latchkey } from '@latchkey/core'
import { createElementClass } from './createElementClass.ts'
import { getFeature } from '@latchkey/core/internal'
import { pageFeature, type PageEntry } from './pageFeature.ts'
import type { ButtonKind, ButtonValues, PageLook } from './mountedEntry.ts'
import { isAttributeSet, readButtonAttributes } from './readButtonAttributes.ts'

const elements: Readonly<Record<string, ButtonKind>> = {
  'latchkey-button': 'connect',
  'latchkey-network-button': 'network',
  'latchkey-account-button': 'account',
  'latchkey-wallet-button': 'wallet',
}

const observed = ['disabled', 'label', 'namespace', 'show-balance', 'size', 'wallet']
const css = ':host{display:inline-block}'

/** Changes the instance of an element class that is defined. */
type Rebind = (latchkey: Latchkey) => void
const rebindKey = Symbol.for('@latchkey/elements/rebind')

/** The look of the elements and the modal, and the window whose elements are defined. */
export type ElementOptions = PageLook & { page?: Pick<typeof globalThis, 'customElements' | 'HTMLElement'> }

/**
 * Defines `<latchkey-button>`, `<latchkey-network-button>`, `<latchkey-account-button>` and `<latchkey-wallet-button>`.
 * Elements that are already in the page then show their content. A second call, for example after a hot reload, moves
 * all elements to the new instance. Does nothing on a server.
 *
 * Attributes: `label`, `size` (`md` or `sm`), `disabled`, `namespace`, `show-balance`, and `wallet` of the last one.
 *
 * @param options `theme` and `locale` of the elements and the modal
 * @example
 * defineElements(latchkey, { theme: 'dark' })
 * document.body.append(document.createElement('latchkey-button'))
 */
export function defineElements(latchkey: Latchkey, { page = browserPage(), ...look }: ElementOptions = {}): void {
  if (page === undefined) return
  getFeature(latchkey, pageFeature).setLook(look)
  for (const [name, kind] of Object.entries(elements)) {
    const defined = page.customElements.get(name)
    const rebind: unknown = defined && Reflect.get(defined, rebindKey)
    // The browser defines an element once, so its class follows the instance of the last call.
    if (typeof rebind === 'function') (rebind as Rebind)(latchkey)
    else page.customElements.define(name, createButtonClass({ latchkey, kind, Base: page.HTMLElement }))
  }
}

function browserPage(): ElementOptions['page'] {
  return typeof customElements === 'undefined' ? undefined : globalThis
}

type ButtonClassOptions = { latchkey: Latchkey; kind: ButtonKind; Base: typeof HTMLElement }

/** The class of an element, which renders into the page of an instance. */
function createButtonClass({ latchkey: first, kind, Base }: ButtonClassOptions): typeof HTMLElement {
  type Shown = { entry: PageEntry; props: ButtonValues }
  const shown = new Map<ShadowRoot, Shown>()
  let latchkey = first
  const add = (target: ShadowRoot, props: ButtonValues): void =>
    void shown.set(target, { entry: getFeature(latchkey, pageFeature).add({ kind, target, props }), props })
  const Class = createElementClass(
    Base,
    { observed, css },
    {
      show(root, attributes) {
        const props = readProps(attributes)
        const known = shown.get(root)
        if (known === undefined) return add(root, props)
        known.props = props
        known.entry.change(props)
      },
      remove(root) {
        shown.get(root)?.entry.remove()
        shown.delete(root)
      },
    },
  )
  const rebind: Rebind = (next) => {
    latchkey = next
    for (const [root, { entry, props }] of shown) {
      entry.remove()
      add(root, props)
    }
  }
  return Object.assign(Class, { [rebindKey]: rebind })
}

function readProps(attributes: ReadonlyMap<string, string>): ButtonValues {
  return {
    ...readButtonAttributes(attributes),
    showBalance: isAttributeSet(attributes.get('show-balance')),
    wallet: attributes.get('wallet'),
  }
}
