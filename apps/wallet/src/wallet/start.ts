import type { Session } from '@latchkey/walletconnect/wallet'
import { readIdentity } from './appIdentity.ts'
import { change, type DeveloperWallet } from './developerWallet.ts'
import type { Settings } from './memory.ts'
import { tell } from './notices.ts'
import { answerByItself, receive } from './receive.ts'

/** Takes up the sessions that stand and listens for what apps ask, unless the owner is offline. */
export function start(wallet: DeveloperWallet): void {
  if (wallet.store.get().settings.isOffline) return change(wallet, { link: 'offline' })
  const protocol = wallet.open()
  wallet.protocol = protocol
  protocol.status.subscribe(({ state }) => {
    if (wallet.protocol === protocol) change(wallet, { link: state })
  })
  const look = (): void => receive(wallet)
  protocol.listen({ proposal: look, request: look, sessionEnded: (session) => sessionEnded(wallet, session) })
  change(wallet, { link: protocol.status.get().state })
  receive(wallet)
}

function sessionEnded(wallet: DeveloperWallet, { topic, peer }: Session): void {
  wallet.memory.setStandings(topic, undefined)
  tell(wallet, 'done', `${readIdentity(peer).name} disconnected.`)
  receive(wallet)
}

/** Lets go of the relay; sessions and what waits are kept for the next start. */
export function stop(wallet: DeveloperWallet, link: 'offline' | 'elsewhere' = 'offline'): void {
  const { protocol } = wallet
  wallet.protocol = undefined
  wallet.stopWatching()
  protocol?.close()
  change(wallet, { link, asks: [] })
}

/** Changes what the owner set, and does what follows from it. */
export function setSettings(wallet: DeveloperWallet, part: Partial<Settings>): void {
  const before = wallet.store.get().settings
  const settings = { ...before, ...part }
  wallet.memory.setSettings(settings)
  change(wallet, { settings })
  if (settings.isOffline && !before.isOffline) stop(wallet)
  if (!settings.isOffline && before.isOffline) start(wallet)
  for (const ask of wallet.store.get().asks) answerByItself(wallet, ask)
}
