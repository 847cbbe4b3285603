import { memoryStorage } from '@latchkey/core'
import { fakeAccount, fakeNetwork } from '@latchkey/core/testing'
import type { AccountId, Network } from '@latchkey/protocol'
import { createDapp, type Dapp, type DappOptions } from '../dapp.ts'
import type { PeerOptions } from '../peer.ts'
import { inBackground, withResolvers } from '../promise.ts'
import type { Session } from '../session.ts'
import { createWallet, type Approval, type SessionProposal, type Wallet, type WalletRequest } from '../wallet.ts'

/** Apps and wallets that a test makes, to be closed together. */
export type Parties = {
  dapp(options?: Partial<DappOptions>): Dapp
  phone(options?: Partial<PeerOptions>): Phone
  close(): void
}

/** A wallet, and the next things that it is asked. */
export type Phone = Wallet & {
  nextProposal(): Promise<SessionProposal>
  nextRequest(): Promise<WalletRequest>
}

/** What parties have unless a test says otherwise; the place of the relay it always says. */
export type PartyDefaults = Pick<PeerOptions, 'relayUrl' | 'createSocket'>

export const partyNetworks: readonly Network[] = [fakeNetwork({ id: 1 }), fakeNetwork({ id: 10 })]
export const partyAccounts: readonly AccountId[] = [fakeAccount('eip155:1', 0), fakeAccount('eip155:10', 0)]

/**
 * Makes apps and wallets over a relay.
 *
 * @example
 * const parties = makeParties({ relayUrl: server.relayUrl, createSocket: (url) => new WebSocket(url) })
 * const session = await connectParties(parties.dapp(), parties.phone())
 * parties.close()
 */
export function makeParties(defaults: PartyDefaults): Parties {
  const open: Array<{ close(): void }> = []
  const optionsOf = (name: string): PeerOptions => ({
    ...defaults,
    projectId: 'ab'.repeat(16),
    metadata: { name, description: '', url: 'https://app.example', icons: [] },
    storage: memoryStorage(),
  })
  return {
    dapp(options) {
      const dapp = createDapp({ ...optionsOf('App'), ...options })
      open.push(dapp)
      return dapp
    },
    phone(options) {
      const wallet = createWallet({ ...optionsOf('Phone'), ...options })
      open.push(wallet)
      const proposals = queue<SessionProposal>()
      const requests = queue<WalletRequest>()
      wallet.listen({ proposal: proposals.put, request: requests.put })
      return { ...wallet, nextProposal: proposals.next, nextRequest: requests.next }
    },
    close() {
      for (const party of open.splice(0)) party.close()
    },
  }
}

/** Connects, and approves everything. */
export async function connectParties(
  dapp: Dapp,
  phone: Phone,
  { networks = partyNetworks, ...approval }: Partial<Approval> & { networks?: readonly Network[] } = {},
): Promise<Session> {
  const { signal } = new AbortController()
  const connecting = dapp.connect({ networks, signal, onUri: (uri) => void phone.pair(uri) })
  // A test that fails before closes them.
  inBackground(connecting)
  await phone.approve(await phone.nextProposal(), { accounts: partyAccounts, ...approval })
  return connecting
}

function queue<item>(): { put(item: item): void; next(): Promise<item> } {
  const items: item[] = []
  const waiting: Array<(item: item) => void> = []
  return {
    put(item) {
      const resolve = waiting.shift()
      if (resolve === undefined) items.push(item)
      else resolve(item)
    },
    async next() {
      const item = items.shift()
      if (item !== undefined) return item
      const { promise, resolve } = withResolvers<item>()
      waiting.push(resolve)
      return promise
    },
  }
}
