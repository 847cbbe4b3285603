import { memoryStorage, type Storage } from '@latchkey/core'
import { fakeAccount, fakeNetwork } from '@latchkey/core/testing'
import type { AccountId, Network } from '@latchkey/protocol'
import { createDapp } from '../dapp/createDapp.ts'
import type { Dapp, DappOptions } from '../dapp/dapp.ts'
import { createSignClient, type SignClient, type SignClientOptions } from '../channel/signClient.ts'
import { runInBackground, withResolvers } from '../primitives/withResolvers.ts'
import { createPairing, formatPairingUri } from '../session/pairing.ts'
import type { Session } from '../session/session.ts'
import { createWallet } from '../wallet/createWallet.ts'
import type { Wallet } from '../wallet/wallet.ts'
import type { Approval } from '../wallet/approveProposal.ts'
import type { SessionProposal } from '../wallet/sessionProposal.ts'
import type { WalletRequest } from '../wallet/walletRequest.ts'

/** The apps and wallets of a test, closed together. */
export type Parties = {
  dapp(options?: Partial<DappOptions>): Dapp
  phone(options?: Partial<SignClientOptions>): Phone
  /**
   * Creates an app that can send any message.
   *
   * @param storage that of a dapp, for its sessions
   */
  rawApp(storage?: Storage): RawApp
  close(): void
}

/** An app that can send any message. */
export type RawApp = SignClient & {
  /** Creates a pairing with a wallet. Returns its topic. */
  pair(phone: Phone): Promise<string>
}

/** A wallet with its next proposals and requests. */
export type Phone = Wallet & {
  nextProposal(): Promise<SessionProposal>
  nextRequest(): Promise<WalletRequest>
}

/** The default options of parties. The relay is always required. */
export type PartyDefaults = Pick<SignClientOptions, 'relayUrl' | 'createSocket'>

export const partyNetworks: readonly Network[] = [fakeNetwork({ id: 1 }), fakeNetwork({ id: 10 })]
export const partyAccounts: readonly AccountId[] = [fakeAccount('eip155:1', 0), fakeAccount('eip155:10', 0)]

/**
 * Creates apps and wallets over a relay.
 *
 * @example
 * const parties = makeParties({ relayUrl: server.relayUrl, createSocket: (url) => new WebSocket(url) })
 * const session = await connectParties(parties.dapp(), parties.phone())
 * parties.close()
 */
export function createParties(defaults: PartyDefaults): Parties {
  const open: Array<{ close(): void }> = []
  const createPartyOptions = (name: string): SignClientOptions => ({
    ...defaults,
    projectId: 'ab'.repeat(16),
    metadata: { name, description: '', url: 'https://app.example', icons: [] },
    storage: memoryStorage(),
  })
  return {
    dapp(options) {
      const dapp = createDapp({ ...createPartyOptions('App'), ...options })
      open.push(dapp)
      return dapp
    },
    phone(options) {
      const wallet = createWallet({ ...createPartyOptions('Phone'), ...options })
      open.push(wallet)
      const proposals = createQueue<SessionProposal>()
      const requests = createQueue<WalletRequest>()
      wallet.listen({ proposal: proposals.put, request: requests.put })
      return { ...wallet, nextProposal: proposals.next, nextRequest: requests.next }
    },
    rawApp(storage = memoryStorage()) {
      const options = { ...createPartyOptions('Raw app'), storage }
      const client = createSignClient(options, '@latchkey/walletconnect/', { onRequest() {}, onKeyMissing() {} })
      open.push(client.relay)
      return { ...client, pair: (phone) => pairRawApp(client, phone) }
    },
    close() {
      for (const party of open.splice(0)) party.close()
    },
  }
}

async function pairRawApp({ keyring, relay, clock }: SignClient, phone: Phone): Promise<string> {
  const pairing = createPairing(clock.now())
  keyring.holdInMemory(pairing.topic, pairing.symmetricKey)
  await relay.subscribe(pairing.topic)
  await phone.pair(formatPairingUri(pairing))
  return pairing.topic
}

/** Connects and approves all namespaces. */
export async function connectParties(
  dapp: Dapp,
  phone: Phone,
  { networks = partyNetworks, ...approval }: Partial<Approval> & { networks?: readonly Network[] } = {},
): Promise<Session> {
  const { signal } = new AbortController()
  const connecting = dapp.connect({ networks, signal, onUri: (uri) => void phone.pair(uri) })
  // A failing test closes the parties before this settles.
  runInBackground(connecting)
  await phone.approve(await phone.nextProposal(), { accounts: partyAccounts, ...approval })
  return connecting
}

function createQueue<item>(): { put(item: item): void; next(): Promise<item> } {
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
