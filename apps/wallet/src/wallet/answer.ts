import type { Network } from '@latchkey/protocol'
import type { Cacao, Wallet, WalletRequest } from '@latchkey/walletconnect/wallet'
import type { Account } from '../families/family.ts'
import { asRpcError, refusals, type RpcError } from '../rpcError.ts'
import { allNetworks, change, selectedAccount, type Answer, type Ask, type DeveloperWallet } from './developerWallet.ts'
import { tell } from './notices.ts'
import { approvalOf } from './offer.ts'
import { refreshApps } from './apps.ts'
import { switchNetwork } from './sessions.ts'
import { signInTexts, signTexts } from './signIn.ts'

type ProposalAsk = Extract<Ask, { kind: 'proposal' }>
type RequestAsk = Extract<Ask, { kind: 'request' }>

/** What the owner chose of what an app asks for to connect. */
type Choice = { accounts?: readonly Account[]; signsIn?: boolean }

/** Milliseconds that an answer takes longer when the owner wants a slow wallet. */
const slowness = 3_000

/**
 * Says yes to what waits under `key`, carries it out and answers the app.
 *
 * @param choice what is granted to a proposal; by default the selected accounts, and the sign-in that it asks for.
 */
export async function approve(wallet: DeveloperWallet, key: string, choice: Choice = {}): Promise<void> {
  const ask = begin(wallet, key)
  if (ask === undefined) return
  await beSlow(wallet)
  if (ask.kind === 'proposal') await settle(wallet, ask, choice)
  else await wallet.inTurn(() => carryOut(wallet, ask))
  finish(wallet, key)
}

/** Says no to what waits under `key`. */
export async function reject(wallet: DeveloperWallet, key: string): Promise<void> {
  const ask = begin(wallet, key)
  if (ask === undefined) return
  await beSlow(wallet)
  if (ask.kind === 'request') await refuse(wallet, ask.request, refusals.rejected())
  else await deliver(wallet, (protocol) => protocol.reject(ask.proposal))
  finish(wallet, key)
}

/** Answers an app with what became of its request; what cannot be told now is told when the request is seen again. */
export async function respond(
  wallet: DeveloperWallet,
  key: string,
  request: WalletRequest,
  answer: Answer,
): Promise<void> {
  wallet.undelivered.set(key, answer)
  const isDelivered = await deliver(wallet, (protocol) => protocol.respond(request, answer))
  if (isDelivered) wallet.undelivered.delete(key)
}

/** Answers an app with a refusal. */
export async function refuse(wallet: DeveloperWallet, request: WalletRequest, error: RpcError): Promise<void> {
  const { code, message } = error
  await deliver(wallet, (protocol) => protocol.respond(request, { error: { code, message } }))
}

function begin(wallet: DeveloperWallet, key: string): Ask | undefined {
  const { asks } = wallet.store.get()
  const ask = asks.find((each) => each.key === key)
  // A second press, or another hand, finds it already being answered.
  if (ask === undefined || ask.isAnswering) return undefined
  change(wallet, { asks: asks.map((each) => (each === ask ? { ...ask, isAnswering: true } : each)) })
  return ask
}

function finish(wallet: DeveloperWallet, key: string): void {
  change(wallet, { asks: wallet.store.get().asks.filter((ask) => ask.key !== key) })
  refreshApps(wallet)
}

async function settle(wallet: DeveloperWallet, ask: ProposalAsk, choice: Choice): Promise<void> {
  const { proposal, offer, app } = ask
  const { accounts = selectedAccounts(wallet, ask), signsIn = true } = choice
  const approval = approvalOf(offer, accounts, wallet.families)
  const auths = signsIn ? await signTexts(wallet, signInTexts(ask, accounts, wallet)) : []
  const isSettled = await deliver(wallet, (protocol) => protocol.approve(proposal, { ...approval, ...given(auths) }))
  if (isSettled) tell(wallet, 'done', `Connected to ${app.name}.`)
}

async function carryOut(wallet: DeveloperWallet, ask: RequestAsk): Promise<void> {
  const { request, app } = ask
  try {
    const result = await perform(wallet, ask)
    tell(wallet, 'done', doneText(ask))
    await respond(wallet, ask.key, request, { result })
  } catch (error) {
    const { code, message } = asRpcError(error)
    tell(wallet, 'failure', `Not done for ${app.name}: ${message}`)
    await respond(wallet, ask.key, request, { error: { code, message } })
  }
  wallet.balances.refresh()
}

async function perform(wallet: DeveloperWallet, { question, request }: RequestAsk): Promise<unknown> {
  switch (question.kind) {
    case 'switchNetwork':
      await switchNetwork(wallet, request.topic, question.network)
      return null
    case 'addNetwork':
      await question.check()
      addNetwork(wallet, question.network)
      return null
    default:
      return question.answer()
  }
}

function addNetwork(wallet: DeveloperWallet, network: Network): void {
  wallet.memory.addNetwork(network)
  change(wallet, { networks: allNetworks(wallet.config, wallet.memory) })
}

function doneText({ question, app }: RequestAsk): string {
  switch (question.kind) {
    case 'message':
    case 'typedData':
      return `Signed for ${app.name}.`
    case 'transaction':
      return `Sent for ${app.name}.`
    case 'switchNetwork':
      return `${app.name} is on ${question.network.name} now.`
    case 'addNetwork':
      return `${question.network.name} is known now.`
  }
}

/** Hands an answer to the relay; the owner is told when it did not get there. */
async function deliver(wallet: DeveloperWallet, send: (protocol: Wallet) => Promise<unknown>): Promise<boolean> {
  const { protocol } = wallet
  if (protocol === undefined) {
    tell(wallet, 'failure', 'The wallet went offline before it could answer.')
    return false
  }
  try {
    await send(protocol)
    return true
  } catch (error) {
    const reason = error instanceof Error ? ` ${error.message}` : ''
    tell(wallet, 'failure', `The answer did not get through.${reason}`)
    return false
  }
}

/** Nothing rather than an empty list: an app may take that for a sign-in that failed. */
function given(auths: readonly Cacao[]): { auths?: readonly Cacao[] } {
  return auths.length === 0 ? {} : { auths }
}

function selectedAccounts(wallet: DeveloperWallet, { offer }: ProposalAsk): readonly Account[] {
  return wallet.families
    .map((family) => selectedAccount(wallet, family))
    .filter((each) => offer.accounts.includes(each))
}

async function beSlow({ clock, store }: DeveloperWallet): Promise<void> {
  if (store.get().settings.isSlow) await new Promise<void>((resolve) => clock.after(slowness, resolve))
}
