import type { Latchkey } from '@latchkey/core'
import { internalsOf } from '@latchkey/core/internal'
import type { SolanaClients } from '../chain/solanaClients.ts'

/** Creates clients of the configured networks, for transactions that a wallet signs and does not send. */
export function createClients(latchkey: Pick<Latchkey, 'networks' | 'internal'>): SolanaClients {
  return { clock: internalsOf(latchkey).clock, networks: latchkey.networks, clients: new Map() }
}
