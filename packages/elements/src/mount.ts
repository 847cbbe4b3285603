import type { Latchkey } from '@latchkey/core'
import { getFeature } from '@latchkey/core/internal'
import { pageFeature } from './pageFeature.ts'
import type { ButtonKind, ButtonValues, PageLook } from './mountedEntry.ts'

/** The button to mount, its properties, and the look of all buttons of the instance. */
export type MountOptions = ButtonValues &
  PageLook & {
    /** Default: `connect`, which also shows the account. */
    button?: ButtonKind
  }

/** A button that `mount` rendered. */
export type MountedButton = {
  /** Changes properties. Those that are omitted stay as they are. */
  update(options: Omit<MountOptions, 'button'>): void
  /** Removes the button. The last button of an instance removes its modal and stops it. */
  unmount(): void
}

/**
 * Renders a button into an element of the page, and the modal that it opens. The first button of an instance starts it:
 * wallets are discovered and connections are restored.
 *
 * @param target an element whose content belongs to Latchkey
 * @param options the kind of button, its properties, `theme` and `locale`
 * @returns functions that change and remove the button
 * @example
 * const mounted = mount(latchkey, document.body, { button: 'connect', theme: 'dark' })
 * mounted.update({ label: 'Sign in' })
 * mounted.unmount()
 */
export function mount(
  latchkey: Latchkey,
  target: Element | ShadowRoot,
  { button = 'connect', theme, locale, ...props }: MountOptions = {},
): MountedButton {
  const page = getFeature(latchkey, pageFeature)
  page.setLook({ theme, locale })
  let current: ButtonValues = props
  const { change, remove } = page.add({ kind: button, target, props })
  return {
    update({ theme: newTheme, locale: newLocale, ...changed }) {
      page.setLook({ theme: newTheme, locale: newLocale })
      current = { ...current, ...changed }
      change(current)
    },
    unmount: remove,
  }
}

/**
 * Renders the modal of an instance without a button, for apps that open it with functions. Starts the instance.
 *
 * @param look `theme` and `locale` of the modal
 * @returns a function that removes the modal and stops the instance, unless a button still needs them
 * @example
 * const unmount = mountModal(latchkey, { theme: 'dark' })
 * openModal(latchkey)
 */
export function mountModal(latchkey: Latchkey, look: PageLook = {}): () => void {
  const page = getFeature(latchkey, pageFeature)
  page.setLook(look)
  return page.enter()
}
