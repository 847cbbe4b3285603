import type { Storage } from '@latchkey/core'
import { fakeNetwork } from '@latchkey/core/testing'
import { WebSocket } from 'ws'
import { createDapp } from '../dapp.ts'
import type { Session } from '../session.ts'
import { createWallet, type SessionProposal, type Wallet, type WalletRequest } from '../wallet.ts'
import {
  metadata,
  terms,
  type Asked,
  type DappPeer,
  type Place,
  type Proposed,
  type SessionView,
  type Store,
  type WalletPeer,
} from './peers.ts'

/** Makes our dapp side. */
export function ourDapp(place: Place): DappPeer {
  const dapp = createDapp(optionsOf(place, 'Our dapp'))
  const heard: DappPeer['heard'] = { events: [], ended: [] }
  const networks = [fakeNetwork({ id: 1 })]
  for (const session of dapp.restore()) follow(session)

  function follow({ topic }: Session): void {
    dapp.listen(topic, {
      updated: () => {},
      event: ({ name, data }) => void heard.events.push({ name, data }),
      ended: () => void heard.ended.push(topic),
    })
  }

  return {
    heard,
    sessions: () => dapp.restore().map(viewOf),
    ping: dapp.ping,
    disconnect: dapp.disconnect,
    leave: async () => dapp.close(),
    propose: () =>
      new Promise((resolve, reject) => {
        const settled = dapp.connect({
          networks,
          signal: new AbortController().signal,
          onUri: (uri) => resolve({ uri, settled: settled.then(viewOf) }),
        })
        settled.then(follow, reject)
      }),
    request: (topic, request) => dapp.request({ topic, chainId: terms.chain, ...request }),
  }
}

/** Makes our wallet side. */
export function ourWallet(place: Place): WalletPeer {
  const wallet = createWallet(optionsOf(place, 'Our wallet'))
  const heard: WalletPeer['heard'] = { events: [], ended: [] }
  const proposed = wallet.proposals().map((proposal) => proposedTo(wallet, proposal))
  const asked = wallet.requests().map((request) => askedOf(wallet, request))
  wallet.listen({
    proposal: (proposal) => void proposed.push(proposedTo(wallet, proposal)),
    request: (request) => void asked.push(askedOf(wallet, request)),
    sessionEnded: ({ topic }) => void heard.ended.push(topic),
  })
  return {
    heard,
    proposed,
    asked,
    sessions: () => wallet.sessions().map(viewOf),
    pair: wallet.pair,
    ping: wallet.ping,
    disconnect: wallet.disconnect,
    extend: wallet.extendSession,
    leave: async () => wallet.close(),
    update: (topic, accounts) =>
      wallet.updateSession(topic, {
        eip155: { chains: [terms.chain], accounts, methods: terms.methods, events: terms.events },
      }),
    emit: (topic, event) => wallet.emitEvent(topic, event, terms.chain),
  }
}

const optionsOf = ({ relayUrl, store }: Place, name: string) => ({
  relayUrl,
  projectId: terms.projectId,
  metadata: metadata(name),
  storage: storageIn(store),
  createSocket: (url: string) => new WebSocket(url),
})

function storageIn(store: Store): Storage {
  return {
    getItem(key) {
      const value = store.get(key)
      return typeof value === 'string' ? value : undefined
    },
    setItem: (key, value) => void store.set(key, value),
    removeItem: (key) => void store.delete(key),
  }
}

const proposedTo = (wallet: Wallet, proposal: SessionProposal): Proposed => ({
  dapp: proposal.proposer.name,
  approve: async (accounts) => void (await wallet.approve(proposal, { accounts })),
  reject: () => wallet.reject(proposal),
})

const askedOf = (wallet: Wallet, request: WalletRequest): Asked => ({
  method: request.method,
  params: request.params,
  chainId: request.chainId,
  answer: (result) => wallet.respond(request, { result }),
  refuse: (error) => wallet.respond(request, { error }),
})

const viewOf = ({ topic, peer, namespaces, expiry }: Session): SessionView => ({
  topic,
  peer: peer.name,
  accounts: namespaces.eip155?.accounts ?? [],
  expiry,
})
