import { connect, disconnect, setActiveNamespace } from '@latchkey/core'
import { fakeAccount } from '@latchkey/core/fakes'
import { requestError, type ChainId, type Namespace } from '@latchkey/protocol'
import type { ActionApp } from './createActionApp.tsx'

type Choice = number | string

const methods = ['signMessage', 'sendTransaction', 'switchNetwork', 'disconnect']

function listWaiting({ wallets: { silent, deaf, phone } }: ActionApp) {
  return [silent, deaf, phone]
}

/** The changes in wallets, and the calls of an app that connects them. */
export const walletActions = {
  connect({ latchkey }: ActionApp, id: Choice) {
    connect(latchkey, String(id)).catch(() => {})
  },
  disconnect({ latchkey }: ActionApp) {
    disconnect(latchkey).catch(() => {})
  },
  activate: ({ latchkey }: ActionApp, namespace: Choice) => setActiveNamespace(latchkey, namespace as Namespace),
  leave({ wallets: { granting, embedded } }: ActionApp) {
    granting.leave()
    embedded.leave()
  },
  leaveSolana: ({ wallets }: ActionApp) => wallets.solana.leave(),
  lock: ({ wallets }: ActionApp) => wallets.granting.leave('eip155', 'locked'),
  changeAccount: ({ wallets }: ActionApp, index: Choice) =>
    wallets.granting.emitAccounts([fakeAccount('eip155:1', Number(index))]),
  changeNetwork: ({ wallets }: ActionApp, chainId: Choice) => wallets.granting.emitChain(chainId as ChainId),
  approve: (app: ActionApp) => listWaiting(app).forEach((wallet) => wallet.approve()),
  reject: (app: ActionApp) => listWaiting(app).forEach((wallet) => wallet.reject()),
  renewLink: ({ wallets }: ActionApp) => wallets.phone.renew(),
  failRequests({ wallets }: ActionApp) {
    for (const method of methods) wallets.granting.fail(method, requestError('request/rejected', { method }))
  },
  repairRequests({ wallets }: ActionApp) {
    for (const method of methods) wallets.granting.fail(method, undefined)
  },
  holdRequests: ({ gate }: ActionApp) => gate.hold(),
  releaseRequests: ({ gate }: ActionApp) => gate.release(),
  approveDevice: ({ login }: ActionApp) => login.approveDevice(),
  completeLogin: ({ login }: ActionApp) => login.approve(),
  closeLogin: ({ login }: ActionApp) => login.closeWindow(),
  showScreen: ({ login }: ActionApp) => login.show({ height: 300 }),
  hideScreen: ({ login }: ActionApp) => login.show(undefined),
}
