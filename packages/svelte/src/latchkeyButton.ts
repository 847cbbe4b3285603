import type { Latchkey } from '@latchkey/core'
import { mount, type MountedButton, type MountOptions } from '@latchkey/elements'

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
  parameters: LatchkeyButtonParameters,
): { update(parameters: LatchkeyButtonParameters): void; destroy(): void } {
  let current = parameters
  let mounted = mountButton(node, current)
  return {
    update(next) {
      if (next.latchkey === current.latchkey && next.button === current.button) {
        mounted.update({ ...clearedProperties(current), ...propertiesOf(next) })
      } else {
        mounted.unmount()
        mounted = mountButton(node, next)
      }
      current = next
    },
    destroy: () => mounted.unmount(),
  }
}

function mountButton(node: HTMLElement, { latchkey, ...options }: LatchkeyButtonParameters): MountedButton {
  return mount(latchkey, node, options)
}

function propertiesOf({ latchkey: _latchkey, button: _button, ...properties }: LatchkeyButtonParameters) {
  return properties
}

/** Sets all properties to their defaults: a property that Svelte no longer passes has no value. */
function clearedProperties(parameters: LatchkeyButtonParameters): Record<string, undefined> {
  return Object.fromEntries(Object.keys(propertiesOf(parameters)).map((name) => [name, undefined]))
}
