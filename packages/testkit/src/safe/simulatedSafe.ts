import { hashMessage, hashTypedData, keccak256, toHex, type Hex, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { askChain, isRecord, minedReceipt } from '../chainRpc.ts'
import { createOwner, type Owner } from '../owner.ts'
import { encodeCalls, deployAccount } from '../sendAtOnce.ts'
import { walletOf } from '../signing.ts'

export type SimulatedSafeOptions = {
  /** The key of its one owner, who pays for what it does. */
  ownerKey: Hex
  rpcUrl: string
  chainId: number
  /**
   * How it signs messages: with the signature in the answer, with one that is collected later, or on the chain only;
   * `at-once` when left out.
   */
  signs?: 'at-once' | 'later' | 'on-chain'
  /** Whether transactions wait for `carryOut`, as those do that other owners have to sign. */
  waits?: boolean
}

/** What a page asks of the Safe that it is opened in, in the message format of the Safe Apps SDK. */
export type SafeRequest = { id: unknown; method: unknown; params: unknown }

/** A Safe with a real contract wallet, and the hands of its owner. */
export type SimulatedSafe = {
  readonly address: Hex
  /** All that it was asked, oldest first. */
  readonly requests: readonly SafeRequest[]
  /** Answers a message of a page; undefined when it is none. */
  answer(message: unknown): Promise<object | undefined>
  /**
   * The owner takes his time: what he is asked waits for `approve` or `decline`.
   *
   * @param what.info whether he is asked before a page hears which Safe it is, which no Safe does by itself
   */
  hold(what?: { info: boolean }): void
  approve(): void
  decline(): void
  /** All owners signed: what waits is done. */
  carryOut(): Promise<void>
}

type Order = { status: 'AWAITING_CONFIRMATIONS' | 'SUCCESS' | 'FAILED'; txHash?: Hex; carryOut(): Promise<void> }

const version = '9.1.0'

/**
 * Makes a Safe whose contract wallet is on the chain: what it sends is mined, what it signs is valid by ERC-1271.
 *
 * @example const safe = await createSimulatedSafe({ ownerKey, rpcUrl, chainId: 31337 })
 */
export async function createSimulatedSafe(options: SimulatedSafeOptions): Promise<SimulatedSafe> {
  const { ownerKey, rpcUrl, chainId } = options
  const account = privateKeyToAccount(ownerKey)
  const address = await deployAccount(account, account.address, chainId, rpcUrl)
  const requests: SafeRequest[] = []
  const owner = createOwner()
  let asksForInfo = false
  const orders = new Map<string, Order>()
  const signatures = new Map<string, { signature: Hex; collected: boolean }>()
  const methods = {
    ...createFacts(address, account, options),
    ...createSending({ ...options, address, account, owner, orders }),
    ...createSigning({ ...options, address, account, owner, signatures }),
  }

  return {
    address,
    requests,
    hold({ info } = { info: false }) {
      asksForInfo = info
      owner.hold()
    },
    approve: () => owner.answer(true),
    decline: () => owner.answer(false),
    async carryOut() {
      for (const order of orders.values()) await order.carryOut()
      for (const each of signatures.values()) each.collected = true
    },
    async answer(message) {
      if (!isRecord(message) || typeof message['id'] !== 'string' || !isRecord(message['env'])) return undefined
      const { id, method, params } = message
      requests.push({ id, method, params })
      try {
        const handle = methods[String(method)]
        if (handle === undefined) throw new Error(`Method ${String(method)} is not supported.`)
        if (asksForInfo && method === 'getSafeInfo') await ask(owner)
        return { id, success: true, version, data: await handle(params) }
      } catch (error) {
        return { id, success: false, version, error: error instanceof Error ? error.message : String(error) }
      }
    },
  }
}

type Methods = Readonly<Record<string, (params: unknown) => unknown>>
type Parts = SimulatedSafeOptions & { address: Hex; account: LocalAccount; owner: Owner }

/** Who it is, and what its chain says. */
function createFacts(safeAddress: Hex, { address }: LocalAccount, { chainId, rpcUrl }: SimulatedSafeOptions): Methods {
  return {
    getSafeInfo: () => ({ safeAddress, chainId, threshold: 1, owners: [address], isReadOnly: false }),
    rpcCall(params) {
      const { call, params: list } = isRecord(params) ? params : {}
      return call === 'safe_setSettings' ? { offChainSigning: true } : askChain(rpcUrl, String(call), list)
    },
  }
}

/** Transactions: one order each time, however many there are, carried out together or not at all. */
function createSending({
  address,
  account,
  owner,
  orders,
  chainId,
  rpcUrl,
  waits,
}: Parts & { orders: Map<string, Order> }): Methods {
  return {
    async sendTransactions(params) {
      await ask(owner)
      const txs: unknown = isRecord(params) ? params['txs'] : undefined
      const calls = (Array.isArray(txs) ? txs : []).map(readOrder)
      const safeTxHash = keccak256(toHex(crypto.randomUUID()))
      const order: Order = {
        status: 'AWAITING_CONFIRMATIONS',
        async carryOut() {
          if (order.txHash !== undefined) return
          const data = encodeCalls(calls)
          order.txHash = await walletOf(account, chainId, rpcUrl).sendTransaction({
            to: address,
            data,
            gas: 2_000_000n,
          })
          const receipt = await minedReceipt(rpcUrl, order.txHash)
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

function readOrder(tx: unknown): Record<string, unknown> {
  if (!isRecord(tx) || typeof tx['value'] !== 'string') throw new Error('This is no transaction.')
  return { ...tx, value: toHex(BigInt(tx['value'])) }
}

type Signatures = Map<string, { signature: Hex; collected: boolean }>

/** Messages: the owner signs that the Safe signs, which its contract checks (EIP-712, SafeMessage). */
function createSigning({
  address,
  account,
  owner,
  signatures,
  chainId,
  signs = 'at-once',
}: Parts & { signatures: Signatures }): Methods {
  async function sign(hash: Hex): Promise<object> {
    await ask(owner)
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
    // The signer itself refuses what is no typed data.
    signTypedMessage: (params) => sign(hashTypedData((isRecord(params) ? params['typedData'] : undefined) as never)),
    getOffChainSignature(messageHash) {
      const known = signatures.get(String(messageHash))
      return known?.collected === true ? known.signature : ''
    },
  }
}

/** A Safe's page tells in words alone that its owner declined. */
async function ask(owner: Owner): Promise<void> {
  await owner.ask().catch(() => {
    throw new Error('Transaction was rejected')
  })
}
