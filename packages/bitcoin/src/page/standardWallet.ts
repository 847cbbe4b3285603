import { callMethod, MissingMethodError } from '@latchkey/adapter-kit'
import { getField, getListField, getStringField, type ChainId } from '@latchkey/protocol'
import { base64, hex } from '@scure/base'
import { getChainName, parseChainName } from '../chain/chainNames.ts'
import type { MessageToSign, OpenedWallet, OpenRequest, PageWallet, PsbtToSign, WalletAddress } from './pageWallet.ts'

/** Finalizes a signed PSBT in base64 and sends it to a chain; returns the transaction id. */
type BroadcastPsbt = (chainId: ChainId, psbt: string) => Promise<string>

type StandardAccount = WalletAddress & { chains: readonly ChainId[]; raw: unknown }

/** A wallet of the Wallet Standard and the state of its connection. */
type StandardSession = {
  readonly wallet: object
  readonly broadcastPsbt: BroadcastPsbt
  chainId: ChainId | undefined
  wasAskedSilently: boolean
}

/**
 * Wraps a wallet of the Wallet Standard with the features for Bitcoin. The standard has no feature for a payment, so the
 * wallet signs a PSBT instead. Accounts name their chains, so switching needs no request.
 */
export function standardWallet(wallet: object, broadcastPsbt: BroadcastPsbt): PageWallet {
  const session: StandardSession = { wallet, broadcastPsbt, chainId: undefined, wasAskedSilently: false }
  return {
    open: (request) => openStandard(session, request),
    signMessage: (request) => signStandardMessage(session, request),
    signPsbt: (request) => signStandardPsbt(session, request),
    async sendTransfer() {
      throw new MissingMethodError('No method for payments.')
    },
    async switchTo(chainId) {
      if (!listAccounts(wallet).some(({ chains }) => chains.includes(chainId))) return false
      session.chainId = chainId
      return true
    },
    async close() {
      const features = ['standard:disconnect', 'bitcoin:disconnect'].map((name) => getFeature(wallet, name))
      for (const feature of features) if (feature !== undefined) await callMethod(feature, 'disconnect')
    },
    listen({ changed }) {
      // Some wallets have the events of the standard, some their own, and some both.
      const features = ['standard:events', 'bitcoin:events'].map((name) => getFeature(wallet, name))
      const stops = features.map((feature) => callMethod(feature, 'on', 'change', changed).catch(() => undefined))
      return () => {
        for (const stop of stops) void stop.then((end) => typeof end === 'function' && end())
      }
    },
  }
}

async function openStandard(
  session: StandardSession,
  { silent, networks }: OpenRequest,
): Promise<OpenedWallet | undefined> {
  const accounts = silent ? await getSharedAccounts(session) : await requestAccounts(session)
  const approved = [...new Set(accounts.flatMap(({ chains }) => chains))]
  const wanted = [session.chainId, ...networks.map(({ caipNetworkId }) => caipNetworkId)]
  const chainId = wanted.find((chain) => chain !== undefined && approved.includes(chain)) ?? approved[0]
  if (chainId === undefined) return undefined
  session.chainId = chainId
  return { addresses: accounts.filter(({ chains }) => chains.includes(chainId)), chainId, approvedChains: approved }
}

/** Connects silently at most once: some wallets report a change with every connection, which would connect them again. */
async function getSharedAccounts(session: StandardSession): Promise<readonly StandardAccount[]> {
  const { wallet, wasAskedSilently } = session
  session.wasAskedSilently = true
  const feature = getFeature(wallet, 'standard:connect')
  if (listAccounts(wallet).length === 0 && !wasAskedSilently && feature !== undefined) {
    await callMethod(feature, 'connect', { silent: true }).catch(() => undefined)
  }
  return listAccounts(wallet)
}

async function requestAccounts({ wallet }: StandardSession): Promise<readonly StandardAccount[]> {
  const feature = getFeature(wallet, 'bitcoin:connect')
  return listAccounts(await callMethod(feature, 'connect', { purposes: ['payment', 'ordinals'] }))
}

async function signStandardMessage({ wallet }: StandardSession, { address, message }: MessageToSign): Promise<unknown> {
  const request = { account: findAccount(wallet, address).raw, message: new TextEncoder().encode(message) }
  const response = await callMethod(getFeature(wallet, 'bitcoin:signMessage'), 'signMessage', request)
  const signature = toBytes(getField(response, '0', 'signature'))
  return signature && base64.encode(signature)
}

async function signStandardPsbt(
  { wallet, broadcastPsbt, chainId }: StandardSession,
  { psbt, inputs, broadcast }: PsbtToSign,
): Promise<{ psbt: string | undefined; txid?: string }> {
  const inputsToSign = inputs.map(({ address, index, sighashTypes }) => ({
    account: findAccount(wallet, address).raw,
    signingIndexes: [index],
    ...(sighashTypes === undefined ? {} : { sigHash: getSighashName(sighashTypes) }),
  }))
  const chain = `bitcoin:${(chainId && getChainName(chainId)) ?? 'mainnet'}`
  const request = { psbt: base64.decode(psbt), inputsToSign, chain }
  const response = await callMethod(getFeature(wallet, 'bitcoin:signTransaction'), 'signTransaction', request)
  const bytes = toBytes(getField(response, '0', 'signedPsbt'))
  if (bytes === undefined) return { psbt: undefined }
  const signed = base64.encode(bytes)
  if (!broadcast || chainId === undefined) return { psbt: signed }
  return { psbt: signed, txid: await broadcastPsbt(chainId, signed) }
}

function getFeature(wallet: object, name: string): unknown {
  return getField(wallet, 'features', name)
}

/** Lists the Bitcoin accounts of a wallet, or of its response to a request. */
function listAccounts(source: unknown): readonly StandardAccount[] {
  return getListField(source, 'accounts')
    .map(parseStandardAccount)
    .filter((account) => account !== undefined)
}

function findAccount(wallet: object, address: string): StandardAccount {
  const account = listAccounts(wallet).find((each) => each.address === address)
  if (account === undefined) throw new MissingMethodError('The wallet does not share this address.')
  return account
}

function parseStandardAccount(raw: unknown): StandardAccount | undefined {
  const address = getStringField(raw, 'address')
  const chains = getListField(raw, 'chains')
    .map(parseChainName)
    .filter((chain) => chain !== undefined)
  if (address === undefined || chains.length === 0) return undefined
  const purpose = getField(raw, 'purpose')
  const key = toBytes(getField(raw, 'publicKey'))
  return {
    address,
    purpose: purpose === 'payment' || purpose === 'ordinals' ? purpose : undefined,
    // Wallets without a key to share fill the required field with other bytes. A key has 32 bytes (BIP-340) or 33.
    publicKey: key?.length === 32 || key?.length === 33 ? hex.encode(key) : undefined,
    chains,
    raw,
  }
}

/** Reads bytes. A wallet may have made them in another realm, so `instanceof` would fail. */
function toBytes(value: unknown): Uint8Array | undefined {
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : undefined
}

/** The Wallet Standard's names of the signature hash types. */
function getSighashName([type]: readonly number[]): string | undefined {
  const names: Readonly<Record<number, string>> = {
    1: 'ALL',
    2: 'NONE',
    3: 'SINGLE',
    129: 'ALL|ANYONECANPAY',
    130: 'NONE|ANYONECANPAY',
    131: 'SINGLE|ANYONECANPAY',
  }
  return type === undefined ? undefined : names[type]
}
