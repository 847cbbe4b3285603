import type { Asked } from '../approve/approval.ts'
import { accountOf, numberOf, readChainId } from '../approve/asked.ts'
import { isAddress, isHex, read } from '../approve/evm/hex.ts'
import { refusals, RpcError } from '../chain/rpcError.ts'
import type { Chain } from '../chain/chain.ts'
import type { FrameConfig, FrameNetwork } from '../config.ts'
import type { CallsBook } from './callsBook.ts'
import type { Accounts } from './openAccount.ts'
import { sideOf } from './smartClient.ts'

export type ReadsParts = {
  readonly config: Pick<FrameConfig, 'networks'>
  readonly chain: Chain
  readonly accounts: Accounts
  readonly book: CallsBook
}

/** What pages ask about smart accounts, and nobody is shown: capabilities, and what became of calls and operations. */
export function createReads(parts: ReadsParts): Readonly<Record<string, (asked: Asked) => Promise<unknown>>> {
  const toBundler = ({ method, params, network, signal }: Asked): Promise<unknown> =>
    parts.chain.ask(network.chainId, method, Array.isArray(params) ? params : [], { of: sideOf(method), signal })
  return {
    wallet_getCapabilities: (asked) => capabilitiesOf(parts, asked),
    wallet_getCallsStatus: (asked) => statusOf(parts, asked),
    eth_estimateUserOperationGas: toBundler,
    eth_getUserOperationByHash: toBundler,
    eth_getUserOperationReceipt: toBundler,
    eth_supportedEntryPoints: toBundler,
  }
}

const permissionTypes = ['contract-call', 'native-token-recurring-allowance', 'erc20-recurring-allowance'] as const

/** EIP-5792: by chain, as far as the account is a smart one there. */
async function capabilitiesOf({ config, accounts }: ReadsParts, asked: Asked): Promise<Record<string, object>> {
  const [address, chains]: readonly unknown[] = Array.isArray(asked.params) ? asked.params : []
  const account = accountOf(asked, isAddress(address) ? address : undefined)
  const wanted = Array.isArray(chains) ? chains.filter((id) => typeof id === 'string').map(readChainId) : undefined
  const told: Record<string, object> = {}
  for (const network of config.networks) {
    const own = await accounts.addressOn(network)
    const isAsked = wanted === undefined || wanted.includes(network.chainId)
    if (isAsked && own?.toLowerCase() === account.toLowerCase())
      told[`0x${numberOf(network).toString(16)}`] = capabilitiesOn(network)
  }
  return told
}

function capabilitiesOn({ smartAccounts }: FrameNetwork): object {
  return {
    atomic: { status: 'supported' },
    // As pages of the version before ask for it.
    atomicBatch: { supported: true },
    paymasterService: { supported: smartAccounts?.sponsored === true },
    permissions: { supported: true, signerTypes: ['keys', 'wallet'], permissionTypes, policyTypes: [] },
  }
}

async function statusOf({ config, chain, book }: ReadsParts, asked: Asked): Promise<object> {
  const [id]: readonly unknown[] = Array.isArray(asked.params) ? asked.params : []
  if (typeof id !== 'string') throw refusals.invalid('no id')
  const noted = await book.find(asked.origin, id)
  const network = config.networks.find(({ chainId }) => chainId === noted?.chainId)
  if (noted === undefined || network === undefined) throw new RpcError(5730, 'No calls of this id are known.')
  const found = await chain.ask(network.chainId, 'eth_getUserOperationReceipt', [noted.hash], { of: 'bundler' })
  const told = { version: '2.0.0', id, chainId: `0x${numberOf(network).toString(16)}`, atomic: true }
  const receipt = read(found, 'receipt')
  if (!isHex(read(receipt, 'transactionHash'))) return { ...told, status: 100 }
  const succeeded = read(found, 'success') === true
  const logs = read(found, 'logs')
  return {
    ...told,
    status: succeeded ? 200 : 500,
    receipts: [
      {
        logs: Array.isArray(logs) ? logs.map(logOf) : [],
        status: succeeded ? '0x1' : '0x0',
        blockHash: read(receipt, 'blockHash'),
        blockNumber: read(receipt, 'blockNumber'),
        gasUsed: read(found, 'actualGasUsed'),
        transactionHash: read(receipt, 'transactionHash'),
      },
    ],
  }
}

function logOf(log: unknown): object {
  return { address: read(log, 'address'), data: read(log, 'data'), topics: read(log, 'topics') }
}
