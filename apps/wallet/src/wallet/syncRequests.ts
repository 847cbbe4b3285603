import type { SessionProposal, WalletRequest } from '@latchkey/walletconnect/wallet'
import type { NamespaceAdapter } from '../namespaces/namespaceAdapter.ts'
import { toRpcError, rpcErrors } from '../rpcError.ts'
import { parseAppIdentity } from './appIdentity.ts'
import { refreshApps } from './refreshApps.ts'
import { approve } from './approve.ts'
import { reject } from './reject.ts'
import { respond, respondWithError } from './respond.ts'
import { updateState, type PendingRequest, type ConnectedApp, type DeveloperWallet } from './developerWallet.ts'
import { showNotice } from './showNotice.ts'
import { getProposalSupport } from './proposalSupport.ts'

/** Updates the state from the protocol, and adds new proposals and requests. */
export function syncRequests(wallet: DeveloperWallet): void {
  const { protocol, store, undelivered } = wallet
  if (protocol === undefined) return
  refreshApps(wallet)
  const proposals = protocol.proposals()
  const requests = protocol.requests()
  const waiting = new Set([...proposals.map(proposalKey), ...requests.map(requestKey)])
  // The id of a request that is over may be used again.
  for (const key of undelivered.keys()) if (!waiting.has(key)) undelivered.delete(key)
  const { pendingRequests } = store.get()
  const known = new Set(pendingRequests.map(({ key }) => key))
  updateState(wallet, {
    pendingRequests: pendingRequests.filter(({ key, isResponding }) => isResponding || waiting.has(key)),
  })
  for (const proposal of proposals) if (!known.has(proposalKey(proposal))) addProposal(wallet, proposal)
  for (const request of requests) if (!known.has(requestKey(request))) addRequest(wallet, request)
  watchExpiry(wallet, [...proposals, ...requests])
}

/** Schedules a check for when the next request expires, because expiry emits no event. */
function watchExpiry(wallet: DeveloperWallet, expiring: readonly { expiry: number }[]): void {
  wallet.cancelExpiryCheck()
  if (expiring.length === 0) return
  const next = Math.min(...expiring.map(({ expiry }) => expiry)) * 1000
  wallet.cancelExpiryCheck = wallet.clock.after(Math.max(next - wallet.clock.now(), 0) + 1_000, () =>
    syncRequests(wallet),
  )
}

/** The initial state of each pending request. */
const initialState = { origin: { status: 'looking' }, isResponding: false } as const

/** Ids are unique within a topic only: each app chooses its own. */
function proposalKey({ pairingTopic, id }: SessionProposal): string {
  return `proposal ${pairingTopic} ${id}`
}

function requestKey({ topic, id }: WalletRequest): string {
  return `request ${topic} ${id}`
}

function addProposal(wallet: DeveloperWallet, proposal: SessionProposal): void {
  const { adapters, store } = wallet
  const support = getProposalSupport(proposal, adapters, store.get().networks)
  const app = parseAppIdentity(proposal.proposer)
  updateState(wallet, { pairing: { status: 'idle' } })
  addPending(wallet, { key: proposalKey(proposal), kind: 'proposal', app, proposal, support, ...initialState })
}

function addRequest(wallet: DeveloperWallet, request: WalletRequest): void {
  const { apps, networks } = wallet.store.get()
  const from = apps.find(({ session }) => session.topic === request.topic)
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === request.chainId)
  const adapter = wallet.adapters.find(({ namespace }) => namespace === network?.chainNamespace)
  if (from === undefined) return
  const key = requestKey(request)
  const response = wallet.undelivered.get(key)
  if (response !== undefined) return void respond(wallet, key, request, response)
  try {
    if (network === undefined || adapter === undefined) throw rpcErrors.unknownNetwork(request.chainId)
    const { method, params } = request
    const { tokens } = wallet.config
    const accounts = listSharedAccounts(from, request, adapter)
    const decoded = adapter.decode({ method, params, network, accounts, networks, tokens })
    addPending(wallet, { key, kind: 'request', app: from.app, request, network, decoded, ...initialState })
  } catch (error) {
    const rpcError = toRpcError(error)
    const [reason = ''] = rpcError.message.split(/(?<=\.) /)
    showNotice(wallet, 'failure', `Rejected ${request.method} from ${from.app.name}: ${reason}`)
    void respondWithError(wallet, request, rpcError)
  }
}

function addPending(wallet: DeveloperWallet, pending: PendingRequest): void {
  updateState(wallet, { pendingRequests: [...wallet.store.get().pendingRequests, pending] })
  void findOrigin(wallet, pending)
  respondAutomatically(wallet, pending)
}

/** Runs in the background: the user may decide before the origin is known. */
async function findOrigin(wallet: DeveloperWallet, pending: PendingRequest): Promise<void> {
  const subject = pending.kind === 'proposal' ? pending.proposal : pending.request
  const origin = (await wallet.protocol?.verify(subject)) ?? { status: 'unknown' }
  const pendingRequests = wallet.store
    .get()
    .pendingRequests.map((each) => (each.key === pending.key ? { ...each, origin } : each))
  updateState(wallet, { pendingRequests })
}

/** Approves or rejects automatically if the settings say so. */
export function respondAutomatically(wallet: DeveloperWallet, pending: PendingRequest): void {
  const { settings } = wallet.store.get()
  if (settings.responseMode === 'ask') return
  const canApprove = pending.kind === 'request' || pending.support.obstacle === undefined
  if (settings.responseMode === 'approve' && canApprove) void approve(wallet, pending.key)
  else void reject(wallet, pending.key)
}

function listSharedAccounts(
  { session, connections }: ConnectedApp,
  { chainId }: WalletRequest,
  adapter: NamespaceAdapter,
) {
  const granted = session.namespaces[adapter.namespace]?.accounts ?? []
  const selected = connections[adapter.namespace]?.address
  return adapter.accounts
    .filter(({ address }) => granted.includes(`${chainId}:${address}`))
    .toSorted((one, other) => Number(other.address === selected) - Number(one.address === selected))
}
