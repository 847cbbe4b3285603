import type { CheckedRequest } from '../approve/approval.ts'
import { getApprovedAccount, chainNumberOf, toCaipChainId } from '../approve/checkRequest.ts'
import { isAddress, isHex } from '../approve/evm/parseQuantity.ts'
import { rpcErrors, RpcError } from '../chain/rpcError.ts'
import type { Chain } from '../chain/chain.ts'
import type { FrameConfig, FrameNetwork } from '../frameConfig.ts'
import type { CallsRegistry } from './callsRegistry.ts'
import type { SmartAccounts } from './smartAccounts.ts'
import { sideOf } from './smartClient.ts'
import { executionPermissionTypes } from './permissions/executionReads.ts'
import { getMember } from '../platform/getMember.ts'

export type SmartReadsDependencies = {
  readonly config: Pick<FrameConfig, 'networks'>
  readonly chain: Chain
  readonly accounts: SmartAccounts
  readonly book: CallsRegistry
}

/** Creates the read methods of smart accounts: capabilities, and the status of calls and operations. */
export function createSmartReads(
  dependencies: SmartReadsDependencies,
): Readonly<Record<string, (checked: CheckedRequest) => Promise<unknown>>> {
  const toBundler = ({ method, params, network, signal }: CheckedRequest): Promise<unknown> =>
    dependencies.chain.request(network.chainId, method, Array.isArray(params) ? params : [], {
      of: sideOf(method),
      signal,
    })
  return {
    wallet_getCapabilities: (checked) => walletCapabilities(dependencies, checked),
    wallet_getCallsStatus: (checked) => callsStatus(dependencies, checked),
    eth_estimateUserOperationGas: toBundler,
    eth_getUserOperationByHash: toBundler,
    eth_getUserOperationReceipt: toBundler,
    eth_supportedEntryPoints: toBundler,
  }
}

/** Returns capabilities by chain where the account is a smart account (EIP-5792). */
async function walletCapabilities(
  { config, accounts }: SmartReadsDependencies,
  checked: CheckedRequest,
): Promise<Record<string, object>> {
  const [address, chains]: readonly unknown[] = Array.isArray(checked.params) ? checked.params : []
  const account = getApprovedAccount(checked, isAddress(address) ? address : undefined)
  const wanted = Array.isArray(chains) ? chains.filter((id) => typeof id === 'string').map(toCaipChainId) : undefined
  const result: Record<string, object> = {}
  for (const network of config.networks) {
    const own = await accounts.addressOn(network)
    const isWanted = wanted === undefined || wanted.includes(network.chainId)
    if (isWanted && own?.toLowerCase() === account.toLowerCase())
      result[`0x${chainNumberOf(network).toString(16)}`] = networkCapabilities(network)
  }
  return result
}

function networkCapabilities({ smartAccounts }: FrameNetwork): object {
  return {
    atomic: { status: 'supported' },
    // For pages that use the previous version.
    atomicBatch: { supported: true },
    paymasterService: { supported: smartAccounts?.sponsored === true },
    permissions: {
      supported: true,
      signerTypes: smartAccounts?.delegations === undefined ? ['wallet'] : ['wallet', 'account'],
      permissionTypes: executionPermissionTypes,
      ruleTypes: ['expiry'],
      policyTypes: [],
    },
  }
}

async function callsStatus({ config, chain, book }: SmartReadsDependencies, checked: CheckedRequest): Promise<object> {
  const [id]: readonly unknown[] = Array.isArray(checked.params) ? checked.params : []
  if (typeof id !== 'string') throw rpcErrors.invalid('the id is missing')
  const noted = await book.find(checked.origin, id)
  const network = config.networks.find(({ chainId }) => chainId === noted?.chainId)
  if (noted === undefined || network === undefined) throw new RpcError(5730, 'The call id is unknown.')
  const found = await chain.request(network.chainId, 'eth_getUserOperationReceipt', [noted.hash], { of: 'bundler' })
  const result = { version: '2.0.0', id, chainId: `0x${chainNumberOf(network).toString(16)}`, atomic: true }
  const receipt = getMember(found, 'receipt')
  if (!isHex(getMember(receipt, 'transactionHash'))) return { ...result, status: 100 }
  const succeeded = getMember(found, 'success') === true
  const logs = getMember(found, 'logs')
  return {
    ...result,
    status: succeeded ? 200 : 500,
    receipts: [
      {
        logs: Array.isArray(logs) ? logs.map(logOf) : [],
        status: succeeded ? '0x1' : '0x0',
        blockHash: getMember(receipt, 'blockHash'),
        blockNumber: getMember(receipt, 'blockNumber'),
        gasUsed: getMember(found, 'actualGasUsed'),
        transactionHash: getMember(receipt, 'transactionHash'),
      },
    ],
  }
}

function logOf(log: unknown): object {
  return { address: getMember(log, 'address'), data: getMember(log, 'data'), topics: getMember(log, 'topics') }
}
