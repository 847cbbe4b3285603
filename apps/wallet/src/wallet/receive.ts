import type { SessionProposal, WalletRequest } from '@latchkey/walletconnect/wallet'
import type { Family } from '../families/family.ts'
import { asRpcError, refusals } from '../rpcError.ts'
import { readIdentity } from './appIdentity.ts'
import { refreshApps } from './apps.ts'
import { approve, refuse, reject, respond } from './answer.ts'
import { change, type Ask, type ConnectedApp, type DeveloperWallet } from './developerWallet.ts'
import { tell } from './notices.ts'
import { readOffer } from './offer.ts'

/** Brings the state in step with what the protocol holds, and takes up what is new. */
export function receive(wallet: DeveloperWallet): void {
  const { protocol, store } = wallet
  if (protocol === undefined) return
  refreshApps(wallet)
  const proposals = protocol.proposals()
  const requests = protocol.requests()
  const waiting = new Set([...proposals.map(proposalKey), ...requests.map(requestKey)])
  const { asks } = store.get()
  const known = new Set(asks.map(({ key }) => key))
  change(wallet, { asks: asks.filter(({ key, isAnswering }) => isAnswering || waiting.has(key)) })
  for (const proposal of proposals) if (!known.has(proposalKey(proposal))) takeProposal(wallet, proposal)
  for (const request of requests) if (!known.has(requestKey(request))) takeRequest(wallet, request)
  watchExpiry(wallet, [...proposals, ...requests])
}

/** What expires tells nobody, so the state is looked over when the next one does. */
function watchExpiry(wallet: DeveloperWallet, asked: readonly { expiry: number }[]): void {
  wallet.stopWatching()
  if (asked.length === 0) return
  const next = Math.min(...asked.map(({ expiry }) => expiry)) * 1000
  wallet.stopWatching = wallet.clock.after(Math.max(next - wallet.clock.now(), 0) + 1_000, () => receive(wallet))
}

/** What is true of each question at first. */
const fresh = { origin: { status: 'looking' }, isAnswering: false } as const

function proposalKey({ id }: SessionProposal): string {
  return `proposal ${id}`
}

function requestKey({ topic, id }: WalletRequest): string {
  return `request ${topic} ${id}`
}

function takeProposal(wallet: DeveloperWallet, proposal: SessionProposal): void {
  const { families, store } = wallet
  const offer = readOffer(proposal, families, store.get().networks)
  const app = readIdentity(proposal.proposer)
  change(wallet, { pairing: { status: 'idle' } })
  take(wallet, { key: proposalKey(proposal), kind: 'proposal', app, proposal, offer, ...fresh })
}

function takeRequest(wallet: DeveloperWallet, request: WalletRequest): void {
  const { apps, networks } = wallet.store.get()
  const from = apps.find(({ session }) => session.topic === request.topic)
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === request.chainId)
  const family = wallet.families.find(({ namespace }) => namespace === network?.chainNamespace)
  if (from === undefined) return
  const key = requestKey(request)
  const answer = wallet.undelivered.get(key)
  if (answer !== undefined) return void respond(wallet, key, request, answer)
  try {
    if (network === undefined || family === undefined) throw refusals.unknownNetwork(request.chainId)
    const { method, params } = request
    const { tokens } = wallet.config
    const accounts = sharedAccounts(from, request, family)
    const question = family.read({ method, params, network, accounts, networks, tokens })
    take(wallet, { key, kind: 'request', app: from.app, request, network, question, ...fresh })
  } catch (error) {
    const refusal = asRpcError(error)
    const [reason = ''] = refusal.message.split(/(?<=\.) /)
    tell(wallet, 'failure', `Refused ${request.method} for ${from.app.name}: ${reason}`)
    void refuse(wallet, request, refusal)
  }
}

function take(wallet: DeveloperWallet, ask: Ask): void {
  change(wallet, { asks: [...wallet.store.get().asks, ask] })
  void findOrigin(wallet, ask)
  answerByItself(wallet, ask)
}

/** Nothing waits for this: the owner may answer before it is known. */
async function findOrigin(wallet: DeveloperWallet, ask: Ask): Promise<void> {
  const asked = ask.kind === 'proposal' ? ask.proposal : ask.request
  const origin = (await wallet.protocol?.verify(asked)) ?? { status: 'unknown' }
  const asks = wallet.store.get().asks.map((each) => (each.key === ask.key ? { ...each, origin } : each))
  change(wallet, { asks })
}

/** Answers without the owner, where the owner wants that. */
export function answerByItself(wallet: DeveloperWallet, ask: Ask): void {
  const { settings } = wallet.store.get()
  if (settings.answers === 'ask') return
  const canApprove = ask.kind === 'request' || ask.offer.obstacle === undefined
  if (settings.answers === 'approve' && canApprove) void approve(wallet, ask.key)
  else void reject(wallet, ask.key)
}

function sharedAccounts({ session, standings }: ConnectedApp, { chainId }: WalletRequest, family: Family) {
  const granted = session.namespaces[family.namespace]?.accounts ?? []
  const selected = standings[family.namespace]?.address
  return family.accounts
    .filter(({ address }) => granted.includes(`${chainId}:${address}`))
    .toSorted((one, other) => Number(other.address === selected) - Number(one.address === selected))
}
