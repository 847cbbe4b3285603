import type { Network } from '@latchkey/protocol'
import type { Cacao } from '@latchkey/walletconnect/wallet'
import type { Account } from '../namespaces/namespaceAdapter.ts'
import { toRpcError } from '../rpcError.ts'
import { decide } from './decide.ts'
import {
  getSelectedAccount,
  listNetworks,
  updateState,
  type DeveloperWallet,
  type PendingRequest,
} from './developerWallet.ts'
import { toApproval } from './proposalSupport.ts'
import { deliver, respond } from './respond.ts'
import { showNotice } from './showNotice.ts'
import { listSignInMessages, signSignInMessages } from './signInMessage.ts'
import { switchNetwork } from './switchNetwork.ts'

type PendingProposal = Extract<PendingRequest, { kind: 'proposal' }>
type PendingSessionRequest = Extract<PendingRequest, { kind: 'request' }>

/** The user's choices for a session proposal. */
type ProposalChoices = { accounts?: readonly Account[]; signsIn?: boolean }

/**
 * Approves the pending request `key`: executes it and responds to the app.
 *
 * @param choices what to grant to a proposal; by default the selected accounts and the requested sign-in
 */
export async function approve(wallet: DeveloperWallet, key: string, choices: ProposalChoices = {}): Promise<void> {
  await decide(wallet, key, (pending) =>
    pending.kind === 'proposal'
      ? approveProposal(wallet, pending, choices)
      : wallet.runExclusive(() => approveRequest(wallet, pending)),
  )
}

async function approveProposal(
  wallet: DeveloperWallet,
  pending: PendingProposal,
  choices: ProposalChoices,
): Promise<void> {
  const { proposal, support, app } = pending
  const { accounts = getSelectedAccounts(wallet, pending), signsIn = true } = choices
  const approval = toApproval(support, accounts, wallet.adapters)
  const auths = signsIn ? await signSignInMessages(wallet, listSignInMessages(pending, accounts, wallet)) : []
  const isSettled = await deliver(wallet, (protocol) =>
    protocol.approve(proposal, { ...approval, ...toAuthsField(auths) }),
  )
  if (isSettled) showNotice(wallet, 'done', `Connected to ${app.name}.`)
}

async function approveRequest(wallet: DeveloperWallet, pending: PendingSessionRequest): Promise<void> {
  const { request, app } = pending
  try {
    const result = await execute(wallet, pending)
    showNotice(wallet, 'done', describeResult(pending))
    await respond(wallet, pending.key, request, { result })
  } catch (error) {
    const { code, message } = toRpcError(error)
    showNotice(wallet, 'failure', `Request of ${app.name} failed: ${message}`)
    await respond(wallet, pending.key, request, { error: { code, message } })
  }
  wallet.balances.refresh()
}

async function execute(wallet: DeveloperWallet, { decoded, request }: PendingSessionRequest): Promise<unknown> {
  switch (decoded.kind) {
    case 'switchNetwork':
      await switchNetwork(wallet, request.topic, decoded.network)
      return null
    case 'addNetwork':
      await decoded.check()
      addNetwork(wallet, decoded.network)
      return null
    default:
      return decoded.execute()
  }
}

function addNetwork(wallet: DeveloperWallet, network: Network): void {
  wallet.memory.addNetwork(network)
  updateState(wallet, { networks: listNetworks(wallet.config, wallet.memory) })
}

function describeResult({ decoded, app }: PendingSessionRequest): string {
  switch (decoded.kind) {
    case 'message':
    case 'typedData':
      return `Signed for ${app.name}.`
    case 'transaction':
      return `Sent for ${app.name}.`
    case 'switchNetwork':
      return `${app.name} switched to ${decoded.network.name}.`
    case 'addNetwork':
      return `Added ${decoded.network.name}.`
  }
}

/** Omits an empty list: an app may treat it as a failed sign-in. */
function toAuthsField(auths: readonly Cacao[]): { auths?: readonly Cacao[] } {
  return auths.length === 0 ? {} : { auths }
}

function getSelectedAccounts(wallet: DeveloperWallet, { support }: PendingProposal): readonly Account[] {
  return wallet.adapters
    .map((adapter) => getSelectedAccount(wallet, adapter))
    .filter((each) => support.accounts.includes(each))
}
