import { callMethod, MissingMethodError } from '@latchkey/adapter-kit'
import { getField, getListField, getStringField } from '@latchkey/protocol'
import { base64, hex } from '@scure/base'
import { isTaprootAddress } from '../address/isTaprootAddress.ts'
import { getChainName } from '../chain/chainNames.ts'
import type { MessageToSign, OpenedWallet, OpenRequest, PageWallet, PsbtToSign, WalletAddress } from './pageWallet.ts'

type SendRequest = (method: string, params: object) => Promise<unknown>

/**
 * Wraps the wallet Leather. It responds in JSON-RPC, throws failures in that form, and every request names its network.
 * It has no silent request, so a connection can't be restored after a reload.
 */
export function leatherWallet(provider: object): PageWallet {
  let current: OpenedWallet | undefined
  const send: SendRequest = async (method, params) => {
    try {
      return getField(await callMethod(provider, 'request', method, params), 'result')
    } catch (error) {
      throw getField(error, 'error') ?? error
    }
  }
  const sendOnNetwork: SendRequest = (method, params) => {
    const network = (current && getChainName(current.chainId)) ?? 'mainnet'
    return send(method, { ...params, network })
  }

  return {
    async open(request) {
      if (!request.silent) current = await openLeather(send, request)
      return current
    },
    signMessage: (message) => signLeatherMessage(sendOnNetwork, message),
    signPsbt: (psbt) => signLeatherPsbt(sendOnNetwork, psbt),
    async sendTransfer({ to, value }) {
      const recipients = [{ address: to, amount: String(value) }]
      return getField(await sendOnNetwork('sendTransfer', { recipients }), 'txid')
    },
    switchTo: async (chainId) => chainId === current?.chainId,
    async close() {
      current = undefined
      throw new MissingMethodError("Leather can't revoke a consent.")
    },
    listen: () => () => {},
  }
}

async function openLeather(send: SendRequest, { networks }: OpenRequest): Promise<OpenedWallet | undefined> {
  const chainId = networks[0]?.caipNetworkId
  if (chainId === undefined) return undefined
  const response = await send('getAddresses', { network: getChainName(chainId) })
  const addresses = getListField(response, 'addresses')
    .map(parseLeatherAddress)
    .filter((address) => address !== undefined)
  return addresses.length === 0 ? undefined : { addresses, chainId, approvedChains: [chainId] }
}

async function signLeatherMessage(send: SendRequest, { address, message }: MessageToSign): Promise<unknown> {
  const paymentType = isTaprootAddress(address) ? 'p2tr' : 'p2wpkh'
  return getField(await send('signMessage', { message, paymentType }), 'signature')
}

async function signLeatherPsbt(
  send: SendRequest,
  { psbt, inputs, broadcast }: PsbtToSign,
): Promise<{ psbt: unknown; txid: unknown }> {
  const signAtIndex = inputs.map(({ index }) => index)
  const allowedSighash = inputs.flatMap(({ sighashTypes = [] }) => sighashTypes)
  const response = await send('signPsbt', {
    hex: hex.encode(base64.decode(psbt)),
    signAtIndex,
    broadcast,
    ...(allowedSighash.length === 0 ? {} : { allowedSighash }),
  })
  const signed = getStringField(response, 'hex')
  return { psbt: signed && base64.encode(hex.decode(signed)), txid: getField(response, 'txid') }
}

function parseLeatherAddress(value: unknown): WalletAddress | undefined {
  const address = getStringField(value, 'address')
  const type = getField(value, 'type')
  if (address === undefined || getField(value, 'symbol') !== 'BTC' || typeof type !== 'string') return undefined
  return {
    address,
    purpose: type === 'p2tr' ? 'ordinals' : 'payment',
    publicKey: getStringField(value, 'publicKey'),
    path: getStringField(value, 'derivationPath'),
  }
}
