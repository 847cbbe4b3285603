import type { Storage } from '@latchkey/core'
import { fakeNetwork } from '@latchkey/core/testing'
import { WebSocket } from 'ws'
import { createDapp } from '../../dapp/createDapp.ts'
import type { Session } from '../../session/session.ts'
import { createWallet } from '../../wallet/createWallet.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import type { SessionProposal } from '../../wallet/sessionProposal.ts'
import type { WalletRequest } from '../../wallet/walletRequest.ts'
import {
  createMetadata,
  sessionTerms,
  type ReceivedRequest,
  type DappPeer,
  type PeerEnvironment,
  type ReceivedProposal,
  type SessionView,
  type Store,
  type WalletPeer,
} from './peers.ts'

/** Creates our dapp side. */
export function createOurDapp(place: PeerEnvironment): DappPeer {
  const dapp = createDapp(createPeerOptions(place, 'Our dapp'))
  const received: DappPeer['received'] = { events: [], ended: [] }
  const networks = [fakeNetwork({ id: 1 })]
  for (const session of dapp.restore()) follow(session)

  function follow({ topic }: Session): void {
    dapp.listen(topic, {
      updated: () => {},
      event: ({ name, data }) => void received.events.push({ name, data }),
      ended: () => void received.ended.push(topic),
    })
  }

  return {
    received,
    sessions: () => dapp.restore().map(toSessionView),
    ping: dapp.ping,
    disconnect: dapp.disconnect,
    stop: async () => dapp.close(),
    propose: () =>
      new Promise((resolve, reject) => {
        const settled = dapp.connect({
          networks,
          signal: new AbortController().signal,
          onUri: (uri) => resolve({ uri, settled: settled.then(toSessionView) }),
        })
        settled.then(follow, reject)
      }),
    request: (topic, request) => dapp.request({ topic, chainId: sessionTerms.chain, ...request }),
  }
}

/** Creates our wallet side. */
export function createOurWallet(place: PeerEnvironment): WalletPeer {
  const wallet = createWallet(createPeerOptions(place, 'Our wallet'))
  const received: WalletPeer['received'] = { events: [], ended: [] }
  const proposals = wallet.proposals().map((proposal) => toReceivedProposal(wallet, proposal))
  const requests = wallet.requests().map((request) => toReceivedRequest(wallet, request))
  wallet.listen({
    proposal: (proposal) => void proposals.push(toReceivedProposal(wallet, proposal)),
    request: (request) => void requests.push(toReceivedRequest(wallet, request)),
    sessionEnded: ({ topic }) => void received.ended.push(topic),
  })
  return {
    received,
    proposals,
    requests,
    sessions: () => wallet.sessions().map(toSessionView),
    pair: wallet.pair,
    ping: wallet.ping,
    disconnect: wallet.disconnect,
    extend: wallet.extendSession,
    stop: async () => wallet.close(),
    update: (topic, accounts) =>
      wallet.updateSession(topic, {
        eip155: { chains: [sessionTerms.chain], accounts, methods: sessionTerms.methods, events: sessionTerms.events },
      }),
    emit: (topic, event) => wallet.emitEvent(topic, event, sessionTerms.chain),
  }
}

const createPeerOptions = ({ relayUrl, store }: PeerEnvironment, name: string) => ({
  relayUrl,
  projectId: sessionTerms.projectId,
  metadata: createMetadata(name),
  storage: createStoreStorage(store),
  createSocket: (url: string) => new WebSocket(url),
})

function createStoreStorage(store: Store): Storage {
  return {
    getItem(key) {
      const value = store.get(key)
      return typeof value === 'string' ? value : undefined
    },
    setItem: (key, value) => void store.set(key, value),
    removeItem: (key) => void store.delete(key),
  }
}

const toReceivedProposal = (wallet: Wallet, proposal: SessionProposal): ReceivedProposal => ({
  dapp: proposal.proposer.name,
  approve: async (accounts) => void (await wallet.approve(proposal, { accounts })),
  reject: () => wallet.reject(proposal),
})

const toReceivedRequest = (wallet: Wallet, request: WalletRequest): ReceivedRequest => ({
  method: request.method,
  params: request.params,
  chainId: request.chainId,
  respond: (result) => wallet.respond(request, { result }),
  reject: (error) => wallet.respond(request, { error }),
})

const toSessionView = ({ topic, peer, namespaces, expiry }: Session): SessionView => ({
  topic,
  peer: peer.name,
  accounts: namespaces.eip155?.accounts ?? [],
  expiry,
})
