import { h } from '../screens/elements/h.ts'
import { createButton, drawLayout } from '../screens/elements/layout.ts'
import type { Screen } from '../screens/stage/stage.ts'
import { createScreen } from '../screens/stage/steps.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'
import type { WalletAccount } from '../services/shareStore.ts'

const names: Readonly<Record<string, string>> = { eip155: 'EVM', solana: 'Solana' }

/** Shows the addresses of an opened wallet, so that the user can check it before any secret is shown. */
export function addressesScreen({ account, exporting }: Messages, accounts: readonly WalletAccount[]): Screen<'show'> {
  return createScreen(({ root, finish }) => {
    const pairs = accounts.map(({ namespace, address }) =>
      h('div', {}, h('dt', {}, names[namespace] ?? namespace), h('dd', { class: 'address' }, address)),
    )
    drawLayout(root, {
      title: account.addresses,
      content: [h('dl', { class: 'facts' }, ...pairs), h('p', { class: 'hint' }, exporting.warningHint)],
      actions: [createButton({ text: exporting.begin, look: 'primary', press: () => finish('show') })],
    })
  })
}
