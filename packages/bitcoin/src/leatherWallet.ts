import { base64, hex } from '@scure/base'
import type { ChainId, Network } from '@latchkey/protocol'
import { isTaproot } from './taproot.ts'
import { nameOfChain } from './chainNames.ts'
import {
  call,
  field,
  listOf,
  MissingMethod,
  textOf,
  type Opened,
  type PageWallet,
  type WalletAddress,
} from './pageWallet.ts'

/**
 * Leather: every request is answered as JSON-RPC, failures are thrown in that form, and each names its network. It has
 * no question that shows nothing to its owner, so a consent is not taken up after a reload.
 */
export function leatherWallet(provider: object): PageWallet {
  let current: Opened | undefined

  async function ask(method: string, params: unknown): Promise<unknown> {
    try {
      return field(await call(provider, 'request', method, params), 'result')
    } catch (failure) {
      throw field(failure, 'error') ?? failure
    }
  }

  const network = (): string => (current && nameOfChain(current.chainId)) ?? 'mainnet'

  async function open({
    silent,
    networks,
  }: {
    silent: boolean
    networks: readonly Network[]
  }): Promise<Opened | undefined> {
    if (silent) return current
    const chainId: ChainId | undefined = networks[0]?.caipNetworkId
    if (chainId === undefined) return undefined
    const answer = await ask('getAddresses', { network: nameOfChain(chainId) })
    const addresses = listOf(field(answer, 'addresses'))
      .map(readAddress)
      .filter((address) => address !== undefined)
    current = addresses.length === 0 ? undefined : { addresses, chainId, approvedChains: [chainId] }
    return current
  }

  return {
    open,
    async signMessage({ address, message }) {
      const paymentType = isTaproot(address) ? 'p2tr' : 'p2wpkh'
      return field(await ask('signMessage', { message, paymentType, network: network() }), 'signature')
    },
    async signPsbt({ psbt, inputs, broadcast }) {
      const [signAtIndex, allowedSighash] = [
        inputs.map(({ index }) => index),
        inputs.flatMap(({ sighashTypes = [] }) => sighashTypes),
      ]
      const params = {
        hex: hex.encode(base64.decode(psbt)),
        signAtIndex,
        broadcast,
        network: network(),
        ...(allowedSighash.length === 0 ? {} : { allowedSighash }),
      }
      const answer = await ask('signPsbt', params)
      const signed = textOf(field(answer, 'hex'))
      return { psbt: signed && base64.encode(hex.decode(signed)), txid: field(answer, 'txid') }
    },
    async sendTransfer({ to, value }) {
      const params = { recipients: [{ address: to, amount: String(value) }], network: network() }
      return field(await ask('sendTransfer', params), 'txid')
    },
    switchTo: async (chainId) => chainId === current?.chainId,
    async close() {
      current = undefined
      throw new MissingMethod('It has no way to take a consent back.')
    },
    listen: () => () => {},
  }
}

function readAddress(value: unknown): WalletAddress | undefined {
  const address = textOf(field(value, 'address'))
  const type = field(value, 'type')
  if (address === undefined || field(value, 'symbol') !== 'BTC' || typeof type !== 'string') return undefined
  return {
    address,
    purpose: type === 'p2tr' ? 'ordinals' : 'payment',
    publicKey: textOf(field(value, 'publicKey')),
    path: textOf(field(value, 'derivationPath')),
  }
}
