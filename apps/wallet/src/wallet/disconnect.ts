import type { DeveloperWallet } from './developerWallet.ts'
import { refreshApps } from './refreshApps.ts'

/** Ends a session and notifies its app. */
export async function disconnect(wallet: DeveloperWallet, topic: string): Promise<void> {
  wallet.memory.setConnections(topic, undefined)
  try {
    await wallet.protocol?.disconnect(topic)
  } finally {
    refreshApps(wallet)
  }
}
