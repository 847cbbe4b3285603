import { parseAppIdentity } from './appIdentity.ts'
import { updateState, type ConnectedApp, type DeveloperWallet } from './developerWallet.ts'
import { currentConnections } from './currentConnections.ts'

/** Updates the connected apps from the current sessions. */
export function refreshApps(wallet: DeveloperWallet): void {
  const sessions = wallet.protocol?.sessions() ?? []
  const apps = sessions.map((session): ConnectedApp => {
    const connections = currentConnections(session, wallet.memory.connections(session.topic))
    return { session, app: parseAppIdentity(session.peer), connections }
  })
  updateState(wallet, { apps })
}
