import type { Latchkey } from '@latchkey/core'
import { mount, type MountOptions } from '@latchkey/elements'

/** The instance, and the kind and properties of the button. */
export type LatchkeyButtonParameters = MountOptions & { latchkey: Latchkey }

/**
 * Renders a button into an element. This is an action of Svelte, for the directive `use:`.
 *
 * @example
 * // <span use:latchkeyButton={{ latchkey, button: 'connect', label: 'Sign in' }}></span>
 * const { destroy } = latchkeyButton(document.body, { latchkey, label: 'Sign in' })
 */
export function latchkeyButton(
  node: HTMLElement,
  { latchkey, ...options }: LatchkeyButtonParameters,
): { update(parameters: LatchkeyButtonParameters): void; destroy(): void } {
  const mounted = mount(latchkey, node, options)
  return {
    update: ({ latchkey: _latchkey, button: _button, ...changed }) => mounted.update(changed),
    destroy: mounted.unmount,
  }
}
