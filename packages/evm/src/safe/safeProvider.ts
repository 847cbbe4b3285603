import type { Clock } from '@latchkey/core'
import { classifyMethod, getField, getListField } from '@latchkey/protocol'
import type { Eip1193Provider } from '../injected/eip1193Provider.ts'
import { parseSafeInfo, type SafeInfo } from './safeInfo.ts'
import { safeError, type SafeChannel } from './safeChannel.ts'
import { createSafeQueue, type SafeQueue } from './safeQueue.ts'
import { signWithSafe, decodeMessageText } from './signWithSafe.ts'
import { parseSafeTransaction } from './safeTransaction.ts'

/** A Safe as an EIP-1193 provider, which also knows the hashes of its executed transactions. */
export type SafeProvider = Eip1193Provider & Pick<SafeQueue, 'getExecutedHash'>

type Methods = Readonly<Record<string, (params: readonly unknown[]) => unknown>>

/** Creates the provider of a Safe. Reads go through the Safe as well, because it knows its chain's endpoint. */
export function createSafeProvider(channel: SafeChannel, first: SafeInfo, clock: Clock): SafeProvider {
  const safe = createSafeIdentity(channel, first)
  const queue = createSafeQueue(channel)
  const methods: Methods = {
    ...safe.methods,
    ...signingMethods(safe, channel, clock),
    ...sendingMethods(safe, channel, queue),
  }
  return {
    getExecutedHash: queue.getExecutedHash,
    async request({ method, params }) {
      const handle = methods[method]
      if (handle !== undefined) return handle(Array.isArray(params) ? params : [])
      const reads = method.startsWith('eth_') && classifyMethod(method) === 'safe'
      if (!reads) throw safeError(4200, `A Safe has no method ${method}.`)
      return requestRpc(channel, method, params ?? [])
    },
  }
}

/** The address and chain of a Safe, and the checks that a request is for them. */
type SafeIdentity = {
  methods: Methods
  hexChain(): string
  requireAddress(address: unknown): void
  requireChain(chainId: unknown): void
}

function createSafeIdentity(channel: SafeChannel, first: SafeInfo): SafeIdentity {
  let safe = first
  const hexChain = (): string => `0x${safe.chainId.toString(16)}`

  async function refresh(): Promise<readonly string[]> {
    const info = parseSafeInfo(await channel.request('getSafeInfo'))
    if (info === undefined) throw safeError(-32_603, 'The Safe returned no address.')
    safe = info
    return [safe.address]
  }

  function requireChain(chainId: unknown): void {
    if (chainId === undefined || String(chainId).toLowerCase() === hexChain()) return
    throw safeError(4200, `This Safe can be used only on the chain ${hexChain()}.`)
  }

  return {
    hexChain,
    requireChain,
    requireAddress(address) {
      if (address === undefined || String(address).toLowerCase() === safe.address.toLowerCase()) return
      throw safeError(4100, 'This is not the address of the Safe.')
    },
    methods: {
      eth_requestAccounts: refresh,
      eth_accounts: refresh,
      eth_chainId: hexChain,
      net_version: () => String(safe.chainId),
      wallet_switchEthereumChain([target]) {
        requireChain(getField(target, 'chainId') ?? null)
        return null
      },
    },
  }
}

function signingMethods({ requireAddress }: SafeIdentity, channel: SafeChannel, clock: Clock): Methods {
  return {
    personal_sign([message, address]) {
      requireAddress(address)
      return signWithSafe(channel, clock, 'signMessage', { message: decodeMessageText(message) })
    },
    eth_signTypedData_v4([address, typedData]) {
      requireAddress(address)
      const parsed: unknown = typeof typedData === 'string' ? JSON.parse(typedData) : typedData
      return signWithSafe(channel, clock, 'signTypedMessage', { typedData: parsed })
    },
  }
}

/** The status codes of EIP-5792 for a Safe's. A transaction that is not in this table is pending. */
const statusCodes: Readonly<Record<string, number>> = { SUCCESS: 200, CANCELLED: 400, FAILED: 500 }

function sendingMethods(
  { requireAddress, requireChain, hexChain }: SafeIdentity,
  channel: SafeChannel,
  queue: SafeQueue,
): Methods {
  const receiptOf = (hash: unknown): Promise<unknown> => requestRpc(channel, 'eth_getTransactionReceipt', [hash])
  return {
    eth_sendTransaction([transaction]) {
      requireAddress(getField(transaction, 'from'))
      requireChain(getField(transaction, 'chainId'))
      return queue.send([parseSafeTransaction(transaction)])
    },
    // A Safe executes the transactions of a batch together or not at all.
    wallet_getCapabilities: () => ({ [hexChain()]: { atomic: { status: 'supported' } } }),
    async wallet_sendCalls([batch]) {
      requireAddress(getField(batch, 'from'))
      requireChain(getField(batch, 'chainId'))
      return { id: await queue.send(getListField(batch, 'calls').map(parseSafeTransaction)) }
    },
    async wallet_getCallsStatus([id]) {
      const { status, hash } = await queue.getTransaction(String(id))
      const receipt = hash === undefined ? null : await receiptOf(hash)
      const receipts = receipt === null ? [] : [receipt]
      const code = statusCodes[String(status)] ?? 100
      // The Safe may report success before its node knows the block.
      const reported = code === 200 && receipts.length === 0 ? 100 : code
      return { version: '2.0.0', id, chainId: hexChain(), status: reported, atomic: true, receipts }
    },
    eth_getTransactionReceipt: async ([hash]) => receiptOf((await queue.getExecutedHash(String(hash))) ?? hash),
  }
}

function requestRpc(channel: SafeChannel, call: string, params: unknown): Promise<unknown> {
  return channel.request('rpcCall', { call, params })
}
