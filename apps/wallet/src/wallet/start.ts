import type { Session } from '@latchkey/walletconnect/wallet'
import { parseAppIdentity } from './appIdentity.ts'
import { updateState, type DeveloperWallet } from './developerWallet.ts'
import type { Settings } from './walletMemory.ts'
import { showNotice } from './showNotice.ts'
import { respondAutomatically, syncRequests } from './syncRequests.ts'

/** Restores the sessions and listens for requests, unless the wallet is offline. */
export function start(wallet: DeveloperWallet): void {
  if (wallet.store.get().settings.isOffline) return updateState(wallet, { relayConnection: 'offline' })
  const protocol = wallet.open()
  wallet.protocol = protocol
  protocol.status.subscribe(({ state }) => {
    if (wallet.protocol === protocol) updateState(wallet, { relayConnection: state })
  })
  const sync = (): void => syncRequests(wallet)
  protocol.listen({ proposal: sync, request: sync, sessionEnded: (session) => sessionEnded(wallet, session) })
  updateState(wallet, { relayConnection: protocol.status.get().state })
  syncRequests(wallet)
}

function sessionEnded(wallet: DeveloperWallet, { topic, peer }: Session): void {
  wallet.memory.setConnections(topic, undefined)
  showNotice(wallet, 'done', `${parseAppIdentity(peer).name} disconnected.`)
  syncRequests(wallet)
}

/** Disconnects from the relay. Sessions and pending requests are kept for the next start. */
export function stop(wallet: DeveloperWallet, relayConnection: 'offline' | 'elsewhere' = 'offline'): void {
  const { protocol } = wallet
  wallet.protocol = undefined
  wallet.cancelExpiryCheck()
  protocol?.close()
  updateState(wallet, { relayConnection, pendingRequests: [] })
}

/** Changes settings and applies them. */
export function setSettings(wallet: DeveloperWallet, part: Partial<Settings>): void {
  const before = wallet.store.get().settings
  const settings = { ...before, ...part }
  wallet.memory.setSettings(settings)
  updateState(wallet, { settings })
  if (settings.isOffline && !before.isOffline) stop(wallet)
  if (!settings.isOffline && before.isOffline) start(wallet)
  for (const pending of wallet.store.get().pendingRequests) respondAutomatically(wallet, pending)
}
