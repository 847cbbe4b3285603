import type { Clock } from '@latchkey/core'
import { classifyMethod } from '@latchkey/protocol'
import type { Eip1193Provider } from '../eip1193.ts'
import { readSafeInfo, type SafeInfo } from './safeInfo.ts'
import { safeError, type SafeLine } from './safeLine.ts'
import { createOrders, read, type SafeOrders } from './safeOrders.ts'
import { signWithSafe, textOf } from './safeSigning.ts'
import { readTransaction } from './safeTransaction.ts'

/** A Safe as a wallet of EIP-1193, which knows what became of the transactions that it was given. */
export type SafeProvider = Eip1193Provider & Pick<SafeOrders, 'carriedOut'>

type Methods = Readonly<Record<string, (params: readonly unknown[]) => unknown>>

/** Makes a wallet of a Safe. Reads go through the Safe too, as it has the chain that it lives on. */
export function createSafeProvider(line: SafeLine, first: SafeInfo, clock: Clock): SafeProvider {
  const safe = createIdentity(line, first)
  const orders = createOrders(line)
  const methods: Methods = {
    ...safe.methods,
    ...signingMethods(safe, line, clock),
    ...sendingMethods(safe, line, orders),
  }
  return {
    carriedOut: orders.carriedOut,
    async request({ method, params }) {
      const handle = methods[method]
      if (handle !== undefined) return handle(Array.isArray(params) ? params : [])
      const reads = method.startsWith('eth_') && classifyMethod(method) === 'safe'
      if (!reads) throw safeError(4200, `A Safe has no method ${method}.`)
      return askChain(line, method, params ?? [])
    },
  }
}

/** Who the Safe is, and that it is the one that is meant. */
type Identity = {
  methods: Methods
  hexChain(): string
  requireOwn(address: unknown): void
  requireChain(chainId: unknown): void
}

function createIdentity(line: SafeLine, first: SafeInfo): Identity {
  let safe = first
  const hexChain = (): string => `0x${safe.chainId.toString(16)}`

  async function refresh(): Promise<readonly string[]> {
    const info = readSafeInfo(await line.ask('getSafeInfo'))
    if (info === undefined) throw safeError(-32_603, 'The Safe does not say who it is.')
    safe = info
    return [safe.address]
  }

  function requireChain(chainId: unknown): void {
    if (chainId === undefined || String(chainId).toLowerCase() === hexChain()) return
    throw safeError(4200, `A Safe lives on one chain, and this one on ${hexChain()}.`)
  }

  return {
    hexChain,
    requireChain,
    requireOwn(address) {
      if (address === undefined || String(address).toLowerCase() === safe.address.toLowerCase()) return
      throw safeError(4100, 'This is not the address of the Safe.')
    },
    methods: {
      eth_requestAccounts: refresh,
      eth_accounts: refresh,
      eth_chainId: hexChain,
      net_version: () => String(safe.chainId),
      wallet_switchEthereumChain([target]) {
        requireChain(read(target, 'chainId') ?? null)
        return null
      },
    },
  }
}

function signingMethods({ requireOwn }: Identity, line: SafeLine, clock: Clock): Methods {
  return {
    personal_sign([message, address]) {
      requireOwn(address)
      return signWithSafe(line, clock, 'signMessage', { message: textOf(message) })
    },
    eth_signTypedData_v4([address, typedData]) {
      requireOwn(address)
      const parsed: unknown = typeof typedData === 'string' ? JSON.parse(typedData) : typedData
      return signWithSafe(line, clock, 'signTypedMessage', { typedData: parsed })
    },
  }
}

/** What a Safe says of a transaction, in the words of EIP-5792; one that is still being signed is pending. */
const statusCodes: Readonly<Record<string, number>> = { SUCCESS: 200, CANCELLED: 400, FAILED: 500 }

function sendingMethods({ requireOwn, requireChain, hexChain }: Identity, line: SafeLine, orders: SafeOrders): Methods {
  const receiptOf = (hash: unknown): Promise<unknown> => askChain(line, 'eth_getTransactionReceipt', [hash])
  return {
    eth_sendTransaction([transaction]) {
      requireOwn(read(transaction, 'from'))
      requireChain(read(transaction, 'chainId'))
      return orders.send([readTransaction(transaction)])
    },
    // All transactions of a Safe are carried out together or not at all.
    wallet_getCapabilities: () => ({ [hexChain()]: { atomic: { status: 'supported' } } }),
    async wallet_sendCalls([batch]) {
      requireOwn(read(batch, 'from'))
      requireChain(read(batch, 'chainId'))
      const calls = read(batch, 'calls')
      return { id: await orders.send(Array.isArray(calls) ? calls.map((call) => readTransaction(call)) : []) }
    },
    async wallet_getCallsStatus([id]) {
      const { status, hash } = await orders.look(String(id))
      const receipt = hash === undefined ? null : await receiptOf(hash)
      const receipts = receipt === null ? [] : [receipt]
      const code = statusCodes[String(status)] ?? 100
      // What the Safe counts as done may not be in a block that its node knows yet.
      const known = code === 200 && receipts.length === 0 ? 100 : code
      return { version: '2.0.0', id, chainId: hexChain(), status: known, atomic: true, receipts }
    },
    eth_getTransactionReceipt: async ([hash]) => receiptOf((await orders.carriedOut(String(hash))) ?? hash),
  }
}

function askChain(line: SafeLine, call: string, params: unknown): Promise<unknown> {
  return line.ask('rpcCall', { call, params })
}
