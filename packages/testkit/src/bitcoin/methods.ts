import { base64 } from '@scure/base'
import { RpcError } from '../rpcError.ts'
import type { BitcoinChain, BitcoinKey } from './keys.ts'
import { signBip322, signRecoverable } from './signBip322.ts'
import {
  broadcastBitcoinTransaction,
  sendBitcoinTransaction,
  readPsbt,
  signInputs,
  type BitcoinSource,
} from './bitcoinTransactions.ts'

/** The dependencies of a wallet's methods. */
export type BitcoinDependencies = {
  id: string
  keys(): readonly BitcoinKey[]
  chain(): BitcoinChain
  source(): BitcoinSource
  /** True if the page may access the wallet now. */
  isOpen(): boolean
  /** Grants access once the wallet is unlocked. */
  letIn(): Promise<void>
  shutOut(): void
  /** @throws RpcError 4001 when the owner declines. */
  request(): Promise<void>
  goTo(chain: BitcoinChain): void
}

type Params = Readonly<Record<string, unknown>>

/** The sats-connect methods, implemented with real keys. */
export type BitcoinMethods = Readonly<Record<string, (params: Params) => unknown>>

/** Describes the wallet to the page. */
export function describeWallet({ id, keys, chain }: BitcoinDependencies): object {
  const addresses = keys().map(({ address, publicKey, purpose, addressType }) => {
    return { address, publicKey, purpose, addressType, walletType: 'software' }
  })
  return { id, addresses, walletType: 'software', network: describeNetwork(chain()) }
}

/** Creates the wallet's request handlers. */
export function createBitcoinMethods(dependencies: BitcoinDependencies): BitcoinMethods {
  const { chain, isOpen, request } = dependencies

  function requireOpen(): void {
    if (!isOpen()) throw new RpcError(-32_002, 'Access denied.')
  }

  async function approved(): Promise<void> {
    requireOpen()
    await request()
  }

  async function connect(): Promise<object> {
    await request()
    await dependencies.letIn()
    requireOpen()
    return describeWallet(dependencies)
  }

  return {
    wallet_connect: connect,
    getAccounts: async () => Reflect.get(await connect(), 'addresses'),
    wallet_getAccount() {
      requireOpen()
      return describeWallet(dependencies)
    },
    wallet_getNetwork() {
      requireOpen()
      return describeNetwork(chain())
    },
    async wallet_changeNetwork({ name }) {
      await approved()
      const next = String(name).toLowerCase()
      if (!isChain(next)) throw new RpcError(-32_602, 'The wallet does not support this network.')
      dependencies.goTo(next)
      return null
    },
    wallet_disconnect() {
      dependencies.shutOut()
      return null
    },
    ...createSigningMethods(dependencies, approved),
  }
}

function createSigningMethods({ keys, source }: BitcoinDependencies, approved: () => Promise<void>): BitcoinMethods {
  return {
    async signMessage({ address, message, protocol }) {
      await approved()
      const key = keyOf(keys(), address)
      const isRecoverable = protocol !== 'BIP322' && key.addressType !== 'p2tr'
      const sign = isRecoverable ? signRecoverable : signBip322
      return { address, signature: sign(key, String(message)), protocol: isRecoverable ? 'ECDSA' : 'BIP322' }
    },
    async signPsbt({ psbt, signInputs: wanted, broadcast: sends }) {
      await approved()
      const pairs = Object.entries(Object(wanted) as Record<string, readonly number[]>)
      const signing = pairs.flatMap(([address, indexes]) =>
        indexes.map((index) => ({ key: keyOf(keys(), address), index })),
      )
      const signed = signInputs(readPsbt(psbt), signing)
      const txid = sends === true ? await broadcastBitcoinTransaction(source(), signed) : undefined
      return { psbt: base64.encode(signed.toPSBT()), ...(txid === undefined ? {} : { txid }) }
    },
    async sendTransfer({ recipients }) {
      await approved()
      const [payer] = keys()
      if (payer === undefined) throw new RpcError(-32_002, 'Access denied.')
      const wanted = recipients as ReadonlyArray<{ address: string; amount: number }>
      const payments = wanted.map(({ address, amount }) => ({ address, amount: BigInt(amount) }))
      return { txid: await sendBitcoinTransaction(source(), payer, payments) }
    },
  }
}

function keyOf(keys: readonly BitcoinKey[], address: unknown): BitcoinKey {
  const key = keys.find((each) => each.address === address)
  if (key === undefined) throw new RpcError(-32_602, 'The wallet has no such address.')
  return key
}

function describeNetwork(chain: BitcoinChain): object {
  return { bitcoin: { name: `${chain.charAt(0).toUpperCase()}${chain.slice(1)}` } }
}

function isChain(value: string): value is BitcoinChain {
  return ['mainnet', 'testnet', 'signet', 'regtest'].includes(value)
}
