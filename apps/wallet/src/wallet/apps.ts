import { readIdentity } from './appIdentity.ts'
import { change, type ConnectedApp, type DeveloperWallet } from './developerWallet.ts'
import { followedStandings } from './standings.ts'

/** Brings the list of connected apps in step with the sessions that stand. */
export function refreshApps(wallet: DeveloperWallet): void {
  const sessions = wallet.protocol?.sessions() ?? []
  const apps = sessions.map((session): ConnectedApp => {
    const standings = followedStandings(session, wallet.memory.standings(session.topic))
    return { session, app: readIdentity(session.peer), standings }
  })
  change(wallet, { apps })
}
