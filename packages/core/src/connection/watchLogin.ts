import { invalidateBalances } from '../account/invalidateBalances.ts'
import type { Connector } from '../contracts/connector.ts'
import type { Login, LoginEvent } from '../contracts/login.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { listConnectedWallets } from '../state/connectedWallets.ts'

/** Reports the screens that an embedded wallet wants to show, and handles its events, until the signal is aborted. */
export function watchLogin(
  latchkey: Pick<Latchkey, 'adapters' | 'wallet' | 'events' | 'internal'>,
  { id, login }: Connector,
  signal: AbortSignal,
): void {
  if (login === undefined || signal.aborted) return
  let wasWanted = false
  const reportScreen = (): void => {
    const isWanted = login.state.get().screen !== undefined
    if (isWanted === wasWanted) return
    wasWanted = isWanted
    latchkey.events.emit({ type: 'login-screen', connectorId: id, isWanted })
  }
  const stops = [
    login.state.subscribe(reportScreen),
    login.listen?.((event) => handleLoginEvent(latchkey, { id, login }, event)) ?? (() => {}),
  ]
  signal.addEventListener('abort', () => {
    for (const stop of stops) stop()
  })
  reportScreen()
}

function handleLoginEvent(
  latchkey: Pick<Latchkey, 'adapters' | 'wallet' | 'events' | 'internal'>,
  { id, login }: { id: string; login: Login },
  event: LoginEvent,
): void {
  switch (event.type) {
    case 'blocked':
      return latchkey.events.emit({ type: 'problem', code: 'embedded-wallet-blocked' })
    case 'not-allowed':
      login.rejectAll()
      return latchkey.events.emit({ type: 'login-not-allowed', connectorId: id, method: event.method })
    case 'approved':
      return invalidateBalancesOf(latchkey, id)
  }
}

/** An approved request may have spent something. */
function invalidateBalancesOf(latchkey: Pick<Latchkey, 'adapters' | 'wallet' | 'internal'>, connectorId: string): void {
  for (const { namespace } of latchkey.adapters) {
    for (const wallet of listConnectedWallets(latchkey, namespace)) {
      if (wallet.connectorId === connectorId) invalidateBalances(latchkey, wallet.account, wallet.chainId)
    }
  }
}
