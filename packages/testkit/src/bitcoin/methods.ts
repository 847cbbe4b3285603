import { base64 } from '@scure/base'
import { RpcError } from '../rpcError.ts'
import type { BitcoinChain, BitcoinKey } from './keys.ts'
import { signBip322, signRecoverable } from './signMessage.ts'
import { broadcast, pay, readPsbt, signInputs, type BitcoinSource } from './spend.ts'

/** What the methods of a wallet work on. */
export type BitcoinParts = {
  id: string
  keys(): readonly BitcoinKey[]
  chain(): BitcoinChain
  source(): BitcoinSource
  /** Whether the page may see anything now. */
  isOpen(): boolean
  /** Lets the page in, once the wallet is unlocked. */
  letIn(): Promise<void>
  shutOut(): void
  /** @throws RpcError 4001 when the owner declines. */
  ask(): Promise<void>
  goTo(chain: BitcoinChain): void
}

type Params = Readonly<Record<string, unknown>>

/** The requests of sats-connect, done for real. */
export type BitcoinMethods = Readonly<Record<string, (params: Params) => unknown>>

/** What a wallet tells of itself. */
export function describeWallet({ id, keys, chain }: BitcoinParts): object {
  const addresses = keys().map(({ address, publicKey, purpose, addressType }) => {
    return { address, publicKey, purpose, addressType, walletType: 'software' }
  })
  return { id, addresses, walletType: 'software', network: describeNetwork(chain()) }
}

/** Makes what does the wallet's work. */
export function createBitcoinMethods(parts: BitcoinParts): BitcoinMethods {
  const { keys, chain, source, isOpen, ask } = parts

  function requireOpen(): void {
    if (!isOpen()) throw new RpcError(-32_002, 'Access denied.')
  }

  async function approved(): Promise<void> {
    requireOpen()
    await ask()
  }

  async function connect(): Promise<object> {
    await ask()
    await parts.letIn()
    requireOpen()
    return describeWallet(parts)
  }

  return {
    wallet_connect: connect,
    getAccounts: async () => Reflect.get(await connect(), 'addresses'),
    wallet_getAccount() {
      requireOpen()
      return describeWallet(parts)
    },
    wallet_getNetwork() {
      requireOpen()
      return describeNetwork(chain())
    },
    async wallet_changeNetwork({ name }) {
      await approved()
      const next = String(name).toLowerCase()
      if (!isChain(next)) throw new RpcError(-32_602, 'The wallet knows no such network.')
      parts.goTo(next)
      return null
    },
    wallet_disconnect() {
      parts.shutOut()
      return null
    },
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
      const txid = sends === true ? await broadcast(source(), signed) : undefined
      return { psbt: base64.encode(signed.toPSBT()), ...(txid === undefined ? {} : { txid }) }
    },
    async sendTransfer({ recipients }) {
      await approved()
      const [payer] = keys()
      if (payer === undefined) throw new RpcError(-32_002, 'Access denied.')
      const wanted = recipients as ReadonlyArray<{ address: string; amount: number }>
      const payments = wanted.map(({ address, amount }) => ({ address, amount: BigInt(amount) }))
      return { txid: await pay(source(), payer, payments) }
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
