import { mount, type ButtonKind, type ButtonValues, type MountedButton } from '@latchkey/elements'
import type { Namespace } from '@latchkey/protocol'
import {
  defineComponent,
  h,
  onBeforeUnmount,
  onMounted,
  shallowRef,
  watch,
  type DefineComponent,
  type PropType,
} from 'vue'
import { useLatchkey } from './latchkeyPlugin.ts'

const properties = {
  size: { type: String as PropType<'md' | 'sm'> },
  disabled: { type: Boolean, default: false },
  namespace: { type: String as PropType<Namespace> },
  label: { type: String },
  showBalance: { type: Boolean, default: false },
  wallet: { type: String },
}

/** A component with the properties of the buttons. */
export type ButtonComponent = DefineComponent<ButtonValues>

function createButton(button: ButtonKind): ButtonComponent {
  const component = defineComponent({
    name: `Latchkey${button}`,
    props: properties,
    setup(props: ButtonValues) {
      const latchkey = useLatchkey()
      const target = shallowRef<HTMLElement>()
      let mounted: MountedButton | undefined
      onMounted(() => {
        if (target.value !== undefined) mounted = mount(latchkey, target.value, { button, ...props })
      })
      watch(
        () => ({ ...props }),
        (changed) => mounted?.update(changed),
      )
      onBeforeUnmount(() => mounted?.unmount())
      return () => h('span', { ref: target, style: 'display:inline-block' })
    },
  })
  // The properties above are those of the type.
  return component as unknown as ButtonComponent
}

/**
 * Opens the modal: to connect, or to show the connected account.
 *
 * @example
 * import { h } from 'vue'
 * const button = h(ConnectButton, { label: 'Sign in' })
 */
export const ConnectButton: ButtonComponent = /* @__PURE__ */ createButton('connect')
/** Shows the current network, and opens the list of networks. */
export const NetworkButton: ButtonComponent = /* @__PURE__ */ createButton('network')
/** Shows the connected account. */
export const AccountButton: ButtonComponent = /* @__PURE__ */ createButton('account')
/** Connects one wallet: `h(WalletButton, { wallet: 'io.metamask' })`. */
export const WalletButton: ButtonComponent = /* @__PURE__ */ createButton('wallet')
