import { hashMessage, hashTypedData, keccak256, toHex, type Hex, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { isRecord } from '@latchkey/protocol'
import { requestChain, waitForReceipt } from '../evm/requestChain.ts'
import { createOwner, type Owner } from '../page/owner.ts'
import { encodeCalls, deployAccount } from '../evm/sendAtomically.ts'
import { createKeyClient } from '../evm/signing.ts'

export type SimulatedSafeOptions = {
  /** The key of the only owner, who pays the network fees. */
  ownerKey: Hex
  rpcUrl: string
  chainId: number
  /**
   * The Safe signs messages in the response, later, or only on the chain. Default: `at-once`.
   */
  signs?: 'at-once' | 'later' | 'on-chain'
  /** True if transactions wait for `carryOut`, as if other owners had to sign. */
  waits?: boolean
}

/** A request in the message format of the Safe Apps SDK. */
export type SafeRequest = { id: unknown; method: unknown; params: unknown }

/** A Safe with a real contract wallet, controlled by the test. */
export type SimulatedSafe = {
  readonly address: Hex
  /** All requests, oldest first. */
  readonly requests: readonly SafeRequest[]
  /** Handles a page's message. Returns `undefined` if it is not a Safe request. */
  respond(message: unknown): Promise<object | undefined>
  /**
   * From now on, approval requests wait for `approve` or `decline`.
   *
   * @param what.info true to require approval for `getSafeInfo` too, which real Safes do not
   */
  hold(what?: { info: boolean }): void
  approve(): void
  decline(): void
  /** Collects all signatures and executes pending transactions. */
  carryOut(): Promise<void>
}

type SafeTransaction = {
  status: 'AWAITING_CONFIRMATIONS' | 'SUCCESS' | 'FAILED'
  txHash?: Hex
  carryOut(): Promise<void>
}

const version = '9.1.0'

/**
 * Creates a Safe whose contract wallet is on the chain. Its transactions are mined, and its signatures are valid by ERC-1271.
 *
 * @example const safe = await createSimulatedSafe({ ownerKey, rpcUrl, chainId: 31337 })
 */
export async function createSimulatedSafe(options: SimulatedSafeOptions): Promise<SimulatedSafe> {
  const { ownerKey, rpcUrl, chainId } = options
  const account = privateKeyToAccount(ownerKey)
  const address = await deployAccount(account, account.address, chainId, rpcUrl)
  const requests: SafeRequest[] = []
  const owner = createOwner()
  let requiresApprovalOfInfo = false
  const orders = new Map<string, SafeTransaction>()
  const signatures = new Map<string, { signature: Hex; collected: boolean }>()
  const methods = {
    ...createInfoMethods(address, account, options),
    ...createTransactionMethods({ ...options, address, account, owner, orders }),
    ...createMessageMethods({ ...options, address, account, owner, signatures }),
  }

  return {
    address,
    requests,
    hold({ info } = { info: false }) {
      requiresApprovalOfInfo = info
      owner.hold()
    },
    approve: () => owner.decide(true),
    decline: () => owner.decide(false),
    async carryOut() {
      for (const order of orders.values()) await order.carryOut()
      for (const each of signatures.values()) each.collected = true
    },
    async respond(message) {
      if (!isRecord(message) || typeof message['id'] !== 'string' || !isRecord(message['env'])) return undefined
      const { id, method, params } = message
      requests.push({ id, method, params })
      try {
        const handle = methods[String(method)]
        if (handle === undefined) throw new Error(`Method ${String(method)} is not supported.`)
        if (requiresApprovalOfInfo && method === 'getSafeInfo') await requestOwnerApproval(owner)
        return { id, success: true, version, data: await handle(params) }
      } catch (error) {
        return { id, success: false, version, error: error instanceof Error ? error.message : String(error) }
      }
    },
  }
}

type Methods = Readonly<Record<string, (params: unknown) => unknown>>
type SafeDependencies = SimulatedSafeOptions & { address: Hex; account: LocalAccount; owner: Owner }

/** Methods that read the Safe's data and the chain. */
function createInfoMethods(
  safeAddress: Hex,
  { address }: LocalAccount,
  { chainId, rpcUrl }: SimulatedSafeOptions,
): Methods {
  return {
    getSafeInfo: () => ({ safeAddress, chainId, threshold: 1, owners: [address], isReadOnly: false }),
    rpcCall(params) {
      const { call, params: list } = isRecord(params) ? params : {}
      return call === 'safe_setSettings' ? { offChainSigning: true } : requestChain(rpcUrl, String(call), list)
    },
  }
}

/** Each request creates one atomic Safe transaction, regardless of the number of calls. */
function createTransactionMethods({
  address,
  account,
  owner,
  orders,
  chainId,
  rpcUrl,
  waits,
}: SafeDependencies & { orders: Map<string, SafeTransaction> }): Methods {
  return {
    async sendTransactions(params) {
      await requestOwnerApproval(owner)
      const txs: unknown = isRecord(params) ? params['txs'] : undefined
      const calls = (Array.isArray(txs) ? txs : []).map(parseSafeTransaction)
      const safeTxHash = keccak256(toHex(crypto.randomUUID()))
      const order: SafeTransaction = {
        status: 'AWAITING_CONFIRMATIONS',
        async carryOut() {
          if (order.txHash !== undefined) return
          const data = encodeCalls(calls)
          order.txHash = await createKeyClient(account, chainId, rpcUrl).sendTransaction({
            to: address,
            data,
            gas: 2_000_000n,
          })
          const receipt = await waitForReceipt(rpcUrl, order.txHash)
          order.status = receipt['status'] === '0x1' ? 'SUCCESS' : 'FAILED'
        },
      }
      orders.set(safeTxHash, order)
      if (waits !== true) await order.carryOut()
      return { safeTxHash }
    },
    getTxBySafeTxHash(params) {
      const order = orders.get(String(isRecord(params) ? params['safeTxHash'] : undefined))
      if (order === undefined) throw new Error('Transaction not found')
      return { txStatus: order.status, txHash: order.txHash ?? null }
    },
  }
}

function parseSafeTransaction(tx: unknown): Record<string, unknown> {
  if (!isRecord(tx) || typeof tx['value'] !== 'string') throw new Error('This is not a transaction.')
  return { ...tx, value: toHex(BigInt(tx['value'])) }
}

type Signatures = Map<string, { signature: Hex; collected: boolean }>

/** The owner signs messages on behalf of the Safe, and its contract verifies them (EIP-712, SafeMessage). */
function createMessageMethods({
  address,
  account,
  owner,
  signatures,
  chainId,
  signs = 'at-once',
}: SafeDependencies & { signatures: Signatures }): Methods {
  async function sign(hash: Hex): Promise<object> {
    await requestOwnerApproval(owner)
    if (signs === 'on-chain') return { safeTxHash: keccak256(hash) }
    if (account.signTypedData === undefined) throw new Error('The owner cannot sign.')
    const typedData = {
      domain: { chainId, verifyingContract: address },
      types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
      primaryType: 'SafeMessage',
      message: { message: hash },
    } as const
    const [messageHash, signature] = [hashTypedData(typedData), await account.signTypedData(typedData)]
    signatures.set(messageHash, { signature, collected: false })
    return signs === 'later' ? { messageHash } : { messageHash, signature }
  }

  return {
    signMessage: (params) => sign(hashMessage(String(isRecord(params) ? params['message'] : ''))),
    // The signer rejects invalid typed data.
    signTypedMessage: (params) => sign(hashTypedData((isRecord(params) ? params['typedData'] : undefined) as never)),
    getOffChainSignature(messageHash) {
      const known = signatures.get(String(messageHash))
      return known?.collected === true ? known.signature : ''
    },
  }
}

/** A Safe reports a declined request as text, without a code. */
async function requestOwnerApproval(owner: Owner): Promise<void> {
  await owner.requestApproval().catch(() => {
    throw new Error('Transaction was rejected')
  })
}
