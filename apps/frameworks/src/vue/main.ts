import {
  ConnectButton,
  latchkeyPlugin,
  NetworkButton,
  useAccount,
  useDisconnect,
  useSignMessage,
  useSwitchNetwork,
} from '@latchkey/vue'
import { createApp, defineComponent, h } from 'vue'
import { createExample } from '../createExample.ts'

const Example = defineComponent({
  setup() {
    const account = useAccount()
    const signing = useSignMessage()
    const switching = useSwitchNetwork()
    const leaving = useDisconnect()
    return () => [
      h(ConnectButton),
      h(NetworkButton),
      h('output', [account.value.status, account.value.network?.name].join(' ')),
      h('p', signing.data.value),
      h('button', { onClick: () => signing.mutate('Hello') }, 'Sign'),
      h('button', { onClick: () => switching.mutate('eip155:31338') }, 'Switch'),
      h('button', { onClick: () => leaving.mutate() }, 'Leave'),
    ]
  },
})

createApp(Example).use(latchkeyPlugin(createExample())).mount('main')
